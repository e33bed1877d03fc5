// What waits for a second person: approved or declined by another supervisor, taken back by who proposed it (S8).
// The proposer has no button to approve; the server would refuse it too.

import { useState } from "preact/hooks";
import { Card } from "../shared/cards";
import type { ServerClock } from "../shared/clock";
import { clock as clockText } from "../shared/format";
import { useTick, type Commands } from "../shared/live";
import type { ProposalView } from "../shared/rulings";
import { useFocusOnce } from "../shared/focus";
import type { Me } from "./me";
import { proposalTexts, reasons } from "./texts";

interface ProposalsProps {
  proposals: ProposalView[];
  sequence: number;
  live: boolean;
  me: Me | null;
  rules: boolean;
  clock: ServerClock;
  commands: Commands;
  approve: (proposal: number) => void;
}

export function Proposals({ proposals, sequence, live, me, rules, clock, commands, approve }: ProposalsProps) {
  useTick(1000);
  const [closing, setClosing] = useState<number | null>(null);
  const [opened, setOpened] = useState("");
  if (proposals.length === 0 && opened === "") return null;
  const look = async (one: ProposalView): Promise<void> => {
    const answer = await commands.send("look", { command: "open-hidden-card", arguments: { draw: one.draw, reason: one.reason, text: one.text }, seenSequence: sequence });
    if (answer?.ok && typeof answer.body.card === "string") setOpened(answer.body.card);
  };
  const idle = live && commands.pending === "";
  return (
    <section class="proposals" aria-label={proposalTexts.title} data-testid="proposals">
      <h2>{proposalTexts.title}</h2>
      {opened !== "" && (
        <div class="opened" role="alert" data-testid="opened-card">
          <span>{proposalTexts.opened}</span>
          <Card code={opened} size="small" />
          <button type="button" class="small" data-testid="cover" onClick={() => setOpened("")}>
            {proposalTexts.close}
          </button>
        </div>
      )}
      <ul>
        {proposals.map((one) => {
          const own = one.by === me?.id;
          return (
            <li key={one.number} data-testid={`proposal-${one.number}`}>
              <p>
                <b>{one.words}</b> · {proposalTexts.by(one.name)} · {[reasons[one.reason] ?? one.reason, one.text].filter(Boolean).join(": ")}
                <span class="quiet"> · {proposalTexts.left(clockText(clock.secondsUntil(one.expires_wall_ns) ?? 0))}</span>
              </p>
              {one.approved_by !== "" && <p class="hint">{own ? proposalTexts.approvedBy(one.approved_by) : proposalTexts.approvedOther(one.name)}</p>}
              {own && one.approved_by === "" && (
                <p class="hint" data-testid={`own-${one.number}`}>
                  {proposalTexts.own}
                </p>
              )}
              {rules && me !== null && (
                <div class="alarm-acts">
                  {!own && one.approved_by === "" && (
                    <button type="button" class="small" data-testid={`approve-${one.number}`} disabled={!live} onClick={() => approve(one.number)}>
                      {proposalTexts.approve}
                    </button>
                  )}
                  {own && one.approved_by !== "" && (
                    <button type="button" class="small" data-testid={`look-${one.number}`} disabled={!idle} onClick={() => void look(one)}>
                      {proposalTexts.look}
                    </button>
                  )}
                  {closing !== one.number && (
                    <button type="button" class="small" data-testid={`decline-${one.number}`} disabled={!idle} onClick={() => setClosing(one.number)}>
                      {own ? proposalTexts.takeBack : proposalTexts.decline}
                    </button>
                  )}
                  {closing === one.number && <Decline one={one} own={own} sequence={sequence} idle={idle} commands={commands} close={() => setClosing(null)} />}
                </div>
              )}
            </li>
          );
        })}
      </ul>
    </section>
  );
}

function Decline({ one, own, sequence, idle, commands, close }: { one: ProposalView; own: boolean; sequence: number; idle: boolean; commands: Commands; close: () => void }) {
  const first = useFocusOnce<HTMLInputElement>();
  const [text, setText] = useState("");
  return (
    <form
      class="hand-over"
      onKeyDown={(event) => event.key === "Escape" && close()}
      onSubmit={(event) => {
        event.preventDefault();
        if (!idle || text.trim() === "") return;
        void commands.send("decline", { command: "decline-proposal", arguments: { proposal: one.number, text }, seenSequence: sequence }).then((answer) => answer?.ok && close());
      }}
    >
      <input type="text" value={text} required maxLength={500} aria-label={proposalTexts.declineText} placeholder={proposalTexts.declineText} data-testid="decline-text" ref={first} onInput={(event) => setText(event.currentTarget.value)} />
      <button type="submit" class="small" data-testid="decline-do" disabled={!idle || text.trim() === ""}>
        {own ? proposalTexts.takeBackDo : proposalTexts.declineDo}
      </button>
    </form>
  );
}
