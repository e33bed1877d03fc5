// The bottom bar: the call on the left, the one primary button on the right, each always in its place
// (consoles.md D2, D12); between them what else may be done, and why the last press did nothing.

import { dealerTexts } from "../shared/catalog";
import type { ServerClock } from "../shared/clock";
import { DeviceReasons } from "../shared/devices";
import { clock as clockText } from "../shared/format";
import { useTick, type Commands } from "../shared/live";
import type { Button, DealerView } from "../shared/types";

interface ActionsProps {
  view: DealerView;
  live: boolean;
  clock: ServerClock;
  commands: Commands;
  urgent: Commands;
  press: (name: string, button: Button) => void;
  call: () => void;
  misdeal: () => void;
}

export function Actions({ view, live, clock, commands, urgent, press, call, misdeal }: ActionsProps) {
  const { pending } = commands;
  const refusal = commands.refusal ?? urgent.refusal;
  const { primary } = view;
  return (
    <footer class="actions">
      <CallButton view={view} live={live} clock={clock} pending={urgent.pending !== ""} call={call} />
      <div class="middle">
        {view.on_duty && (
          <button type="button" class="misdeal" data-testid="misdeal" disabled={!live} onClick={misdeal}>
            {dealerTexts.misdeal}
          </button>
        )}
        {view.secondary.map((button, index) => (
          <button
            key={`${button.command}-${index}`}
            type="button"
            data-testid={`secondary-${button.command}`}
            data-pending={pending === `secondary-${index}`}
            disabled={!live || pending !== ""}
            onClick={() => press(`secondary-${index}`, button)}
          >
            {button.label}
          </button>
        ))}
        {refusal && (
          <p class="refusal" role="alert" data-testid="refusal">
            <b>{dealerTexts.refused}.</b> {refusal.text}
          </p>
        )}
        {refusal === null && <DeviceReasons devices={view.devices} />}
      </div>
      <div class="primary-place">
        {primary && (
          <button
            type="button"
            class="primary"
            data-testid="primary"
            data-command={primary.command}
            data-pending={pending === "primary"}
            disabled={!live || pending !== ""}
            onClick={() => press("primary", primary)}
          >
            <span>{primary.label}</span>
            <kbd>{dealerTexts.primaryKey}</kbd>
          </button>
        )}
      </div>
    </footer>
  );
}

interface CallProps {
  view: DealerView;
  live: boolean;
  clock: ServerClock;
  pending: boolean;
  call: () => void;
}

function CallButton({ view, live, clock, pending, call }: CallProps) {
  useTick(500);
  const made = view.call;
  const state = made === null ? "none" : made.seen_by ? "seen" : "called";
  const elapsed = made ? clockText(clock.secondsSince(made.since_wall_ns) ?? 0) : "";
  const label = { none: dealerTexts.call, called: dealerTexts.called, seen: dealerTexts.seen(made?.seen_by ?? "") }[state];
  return (
    <button
      type="button"
      class="call"
      data-testid="call-supervisor"
      data-state={state}
      data-pending={pending}
      disabled={!live || pending || made !== null}
      onClick={call}
    >
      <span>{label}</span>
      {made ? <span class="elapsed">{elapsed}</span> : <kbd>{dealerTexts.callKey}</kbd>}
    </button>
  );
}
