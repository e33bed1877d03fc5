// The simulator's control API (hardware_sim/control.py): what the shoe does, and what is to go wrong with it.

export interface Fault {
  name: string;
  kind: "switch" | "one_shot" | "at_once" | "dealer";
  caption: string;
  active: boolean;
}

export interface ControlState {
  shoe: { seed: number; decks: number; dealt: number; left: number; waiting_for_rescan: number[] };
  link: { plugged: boolean; state: string; refusal: string | null };
  faults: Fault[];
  seconds_per_card: number;
  paused: boolean;
}

export interface DemoLink {
  table: string;
  dealer: string;
  supervisor: string;
  control: string;
  controlToken: string;
}

/** The demo's table, sign-ins and control address from the page's fragment; `null` when one is missing. */
export function parseDemoLink(parts: URLSearchParams): DemoLink | null {
  const [table, dealer, supervisor, control, controlToken] = ["table", "dealer", "supervisor", "control", "control_token"].map(
    (name) => parts.get(name) ?? "",
  );
  if (!table || !dealer || !supervisor || !control || !controlToken) return null;
  return { table, dealer, supervisor, control, controlToken };
}

/** What the simulator answered instead of doing it; `message` is for people. */
export class ControlRefusal extends Error {}

export class Control {
  #address: string;
  #headers: Record<string, string>;

  constructor(link: DemoLink) {
    this.#address = link.control.replace(/\/$/, "");
    this.#headers = { Authorization: `Bearer ${link.controlToken}` };
  }

  async state(): Promise<ControlState> {
    return (await this.#call("GET", "/state")) as ControlState;
  }

  async post(path: string, body?: Record<string, unknown>): Promise<void> {
    await this.#call("POST", path, body);
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
