// A thing that can go wrong, as a button that shows whether it does, with one line on what should happen then.

import { demoTexts } from "../shared/catalog";
import { words } from "../shared/format";

interface Shown {
  name: string;
  kind: string;
  caption: string;
  active: boolean;
}

export function FaultButton({ fault, testid, press }: { fault: Shown; testid: string; press: () => void }) {
  return (
    <button type="button" class="fault" data-testid={testid} aria-pressed={fault.active} onClick={press}>
      <span class="fault-name">
        {words(fault.name.replaceAll("_", "-"))}
        {fault.active && <b>{demoTexts.active}</b>}
      </span>
      <span class="fault-caption">{fault.caption}</span>
    </button>
  );
}
