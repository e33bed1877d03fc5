// The simulator's control API (hardware_sim/control.py): what the shoe does, and what is to go wrong with it.

export interface Fault {
  name: string;
  kind: "switch" | "one_shot" | "at_once" | "dealer" | "server";
  caption: string;
  active: boolean;
}

/** What can go wrong before the camera's lens; `dealer` is a mistake that waits for its occasion. */
export interface CameraFault {
  name: string;
  kind: "switch" | "dealer";
  caption: string;
  active: boolean;
}

export interface ControlState {
  shoe: { seed: number; decks: number; dealt: number; left: number; continuous: boolean; waiting_for_rescan: number[] };
  link: { plugged: boolean; state: string; refusal: string | null };
  faults: Fault[];
  seconds_per_card: number;
  paused: boolean;
}

/** One table of the demo; `control` is its simulated shoe's address, `null` where the server shuffles. */
export interface DemoTable {
  id: string;
  name: string;
  dealer: string;
  guest: string;
  control: string | null;
  /** Whether a simulated camera looks at it. */
  camera: boolean;
}

export interface DemoLink {
  supervisor: string;
  controlToken: string;
  tables: DemoTable[];
}

const SUPERVISOR = "supervisor";
const CONTROL_TOKEN = "control_token";

/** The demo's tables, sign-ins and control addresses from the page's fragment; `null` when one is missing. */
export function parseDemoLink(parts: URLSearchParams): DemoLink | null {
  const supervisor = parts.get(SUPERVISOR);
  const controlToken = parts.get(CONTROL_TOKEN);
  const tables = [...parts].filter(([key]) => key !== SUPERVISOR && key !== CONTROL_TOKEN).map(parseTable);
  if (!supervisor || !controlToken || tables.length === 0) return null;
  const whole = tables.filter((table) => table !== null);
  return whole.length === tables.length ? { supervisor, controlToken, tables: whole } : null;
}

/** `t1=NAME,DEALER,GUEST[,CONTROL[,camera]]`, as `studio demo` writes it. */
function parseTable([id, value]: [string, string]): DemoTable | null {
  const [name, dealer, guest, control, camera] = value.split(",");
  if (!name || !dealer || !guest) return null;
  return { id, name, dealer, guest, control: control || null, camera: camera === "camera" };
}

/** What the simulator answered instead of doing it; `message` is for people. */
export class ControlRefusal extends Error {}

export class Control {
  #address: string;
  #headers: Record<string, string>;

  constructor(address: string, token: string) {
    this.#address = address.replace(/\/$/, "");
    this.#headers = { Authorization: `Bearer ${token}` };
  }

  async state(): Promise<ControlState> {
    return (await this.#call("GET", "/state")) as ControlState;
  }

  async post(path: string, body?: Record<string, unknown>): Promise<void> {
    await this.#call("POST", path, body);
  }

  /** The camera's faults; a table without one refuses. */
  async cameraFaults(): Promise<CameraFault[]> {
    return (await this.#call("GET", "/camera/faults")) as CameraFault[];
  }

  async switchCamera(name: string, active: boolean): Promise<CameraFault[]> {
    return (await this.#call("POST", `/camera/faults/${name}`, { active })) as CameraFault[];
  }

  async #call(method: string, path: string, body?: Record<string, unknown>): Promise<unknown> {
    const request: RequestInit = { method, headers: { ...this.#headers } };
    if (body !== undefined) {
      request.headers = { ...this.#headers, "Content-Type": "application/json" };
      request.body = JSON.stringify(body);
    }
    const response = await fetch(this.#address + path, request);
    const answer: unknown = await response.json();
    if (!response.ok) {
      throw new ControlRefusal(String((answer as { detail?: unknown }).detail ?? `The simulator answered ${response.status}`));
    }
    return answer;
  }
}
