// The packs of cards of a table: each with batch, state, age and last count, the button that puts it away, and the
// form that registers a new one (consoles.md S13).

import { useState } from "preact/hooks";
import type { ServerClock } from "../shared/clock";
import { Columns } from "../shared/columns";
import { useFocusOnce } from "../shared/focus";
import { words } from "../shared/format";
import { useTick, type Commands } from "../shared/live";
import type { LastCountView, PackView, ShoePageView } from "../shared/shoe";
import { cardName } from "./pickers";
import { RegisterPack } from "./register";
import { shoeTexts } from "./texts";

interface PacksProps {
  page: ShoePageView;
  clock: ServerClock;
  live: boolean;
  commands: Commands;
  sequence: number;
}

export function Packs({ page, clock, live, commands, sequence }: PacksProps) {
  useTick(30_000);
  const idle = live && commands.pending === "";
  const send = async (command: string, args: Record<string, string>): Promise<boolean> => {
    const answer = await commands.send(command, { command, arguments: args, seenSequence: sequence });
    return answer?.ok === true;
  };
  return (
    <>
      <table class="before-after packs" data-testid="packs">
        <caption>{shoeTexts.packs}</caption>
        <Columns names={shoeTexts.packColumns} />
        <tbody>
          {page.packs.map((pack) => (
            <Pack
              key={pack.id}
              pack={pack}
              loaded={page.loaded === pack.id}
              age={ageOf(pack, page.pack_hours, clock)}
              idle={idle}
              quarantine={(reason) => void send("quarantine-pack", { pack: pack.id, reason })}
            />
          ))}
        </tbody>
      </table>
      <RegisterPack page={page} idle={idle} send={(pack) => send("register-pack", pack)} />
    </>
  );
}

/** How long a pack has been in use, of the hours that it may be. */
function ageOf(pack: PackView, most: number, clock: ServerClock): string {
  if (pack.first_loaded_wall_ns === null) return shoeTexts.unused;
  const minutes = Math.floor((clock.secondsSince(pack.first_loaded_wall_ns) ?? 0) / 60);
  return shoeTexts.inUse(Math.floor(minutes / 60), minutes % 60, most);
}

interface PackProps {
  pack: PackView;
  loaded: boolean;
  age: string;
  idle: boolean;
  quarantine: (reason: string) => void;
}

function Pack({ pack, loaded, age, idle, quarantine }: PackProps) {
  const [asking, setAsking] = useState(false);
  return (
    <tr class={loaded ? "changed" : ""} data-testid={`pack-${pack.id}`}>
      <th scope="row">{pack.id}</th>
      <td>
        {pack.batch} · {pack.back} · {shoeTexts.decks(pack.decks)}
      </td>
      <td>
        {words(pack.life)}
        {pack.reason && <span class="player">{pack.reason}</span>}
      </td>
      <td data-testid={`age-${pack.id}`}>
        {age}
        {pack.loads > 0 && <span class="player">{shoeTexts.loads(pack.loads)}</span>}
      </td>
      <td>{pack.last_count ? <Counted count={pack.last_count} /> : <span class="quiet">{shoeTexts.neverCounted}</span>}</td>
      <td>
        {pack.life !== "quarantined" && !asking && (
          <button type="button" class="small harm" data-testid={`quarantine-${pack.id}`} disabled={!idle} onClick={() => setAsking(true)}>
            {shoeTexts.quarantine}
          </button>
        )}
        {asking && (
          <Why
            idle={idle}
            send={(reason) => {
              quarantine(reason);
              setAsking(false);
            }}
          />
        )}
      </td>
    </tr>
  );
}

function Why({ idle, send }: { idle: boolean; send: (reason: string) => void }) {
  const first = useFocusOnce<HTMLInputElement>();
  const [reason, setReason] = useState("");
  return (
    <form
      class="hand-over"
      onSubmit={(event) => {
        event.preventDefault();
        if (idle && reason.trim() !== "") send(reason);
      }}
    >
      <input type="text" ref={first} value={reason} required maxLength={200} aria-label={shoeTexts.why} placeholder={shoeTexts.why} data-testid="quarantine-why" onInput={(event) => setReason(event.currentTarget.value)} />
      <button type="submit" class="small harm" data-testid="quarantine-do" disabled={!idle || reason.trim() === ""}>
        {shoeTexts.quarantineDo}
      </button>
    </form>
  );
}

function Counted({ count }: { count: LastCountView }) {
  const differing = [...count.missing.map((code) => shoeTexts.missing(cardName(code))), ...count.extra.map((code) => shoeTexts.extra(cardName(code)))];
  return (
    <>
      {words(count.result)} · {count.counted}/{count.size}
      <span class="player">
        {new Date(count.at_wall_ns / 1e6).toLocaleString("en-GB")} · {count.signed.join(", ")}
      </span>
      {differing.length > 0 && <b class="warn">{differing.join(", ")}</b>}
    </>
  );
}
