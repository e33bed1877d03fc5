// The wizard: from what happened, over the ways out that are lawful and what they need to know, to the preview and
// the act. One step is shown at a time; Escape goes back (consoles.md S5, S14).

import { useEffect, useRef, useState } from "preact/hooks";
import type { Answer, Intent } from "../shared/api";
import type { Link } from "../shared/link";
import type { Commands } from "../shared/live";
import type { Change, DrawView } from "../shared/rulings";
import type { Frame, SupervisorView } from "../shared/types";
import { ActStep } from "./act";
import { ChangesForm, DeadHandForm, EnterForm, KINDS } from "./details";
import { Happened } from "./happened";
import type { Me } from "./me";
import { DrawPicker, type Place } from "./pickers";
import { RevisedRound } from "./revise";
import { proposalTexts, toolTexts, wayTexts, wizardTexts } from "./texts";

/** What a supervisor decides about. */
export type Case =
  | { kind: "incident"; incident: number }
  | { kind: "void" }
  | { kind: "hidden" }
  | { kind: "revise"; round: number }
  | { kind: "approve"; proposal: number };

type Stage = "way" | "details" | "preview";

interface WizardProps {
  of: Case;
  frame: Frame<SupervisorView>;
  link: Link;
  me: Me | null;
  live: boolean;
  commands: Commands;
  /** Called at the end; `answer` says what came of it, `null` where nothing was done. */
  close: (answer: Answer | null) => void;
}

function firstStage(of: Case): Stage {
  if (of.kind === "incident") return "way";
  return of.kind === "void" || of.kind === "approve" ? "preview" : "details";
}

function needsDetails(way: string): boolean {
  return KINDS[way] !== undefined || way === "enter" || way === "dead-hand";
}

export function Wizard({ of, frame, link, me, live, commands, close }: WizardProps) {
  const { view } = frame;
  const [stage, setStage] = useState(firstStage(of));
  const [way, setWay] = useState(of.kind === "void" ? "void" : of.kind);
  const [changes, setChanges] = useState<Change[]>([]);
  const [draw, setDraw] = useState<number | null>(null);
  const [round, setRound] = useState(of.kind === "revise" ? of.round : 0);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), [stage]);

  const incident = of.kind === "incident" ? view.incidents.find((open) => open.number === of.incident) : undefined;
  const proposal = of.kind === "approve" ? view.rulings.proposals.find((one) => one.number === of.proposal) : undefined;
  const claim = view.rulings.claims.find((one) => one.incident === incident?.number);
  const heldBy = claim && claim.owner !== "" && claim.owner !== me?.id && !me?.roles.includes("manager") ? claim.owner_name : "";
  const gone = (of.kind === "incident" && incident === undefined) || (of.kind === "approve" && proposal === undefined);

  const stages: Stage[] = of.kind === "incident" ? (needsDetails(way) ? ["way", "details", "preview"] : ["way", "preview"]) : firstStage(of) === "details" ? ["details", "preview"] : ["preview"];
  const back = (): void => {
    commands.dismiss();
    const before = stages[stages.indexOf(stage) - 1];
    if (before) setStage(before);
    else close(null);
  };
  const choose = (chosen: string): void => {
    setWay(chosen);
    setChanges([]);
    setStage(needsDetails(chosen) ? "details" : "preview");
  };
  const enough = of.kind === "hidden" ? draw !== null : way === "move" || changes.length > 0;
  const names = { way: 0, details: 1, preview: 2 };
  const title = titleOf(of, way, incident?.cause ?? "", proposal?.words ?? "");
  return (
    <section
      class="wizard"
      aria-labelledby="wizard-title"
      data-testid="wizard"
      data-stage={stage}
      onKeyDown={(event) => {
        if (event.key !== "Escape") return;
        event.preventDefault();
        back();
      }}
    >
      <header>
        <h2 id="wizard-title" tabIndex={-1} ref={heading} data-testid="wizard-title">
          {title}
        </h2>
        <span class="fact-label" data-testid="step">
          {wizardTexts.step(stages.indexOf(stage) + 1, stage === "way" ? 0 : stages.length, wizardTexts.steps[names[stage]] ?? "")}
        </span>
        <button type="button" class="small" data-testid="close" onClick={() => close(null)}>
          {wizardTexts.close}
        </button>
      </header>
      {gone && (
        <p class="refusal" role="alert" data-testid="over">
          {wizardTexts.over}
        </p>
      )}
      {!gone && stage === "way" && incident && (
        <Happened link={link} incident={incident} sequence={frame.sequence} live={live} heldBy={heldBy} choose={choose} />
      )}
      {!gone && stage === "details" && (
        <div class="details">
          <h3>{wizardTexts.details[way]}</h3>
          {of.kind === "revise" && <RevisedRound link={link} round={round} setRound={setRound} changes={changes} set={setChanges} />}
          {of.kind === "hidden" && <HiddenDraws draws={hiddenDraws(view)} chosen={draw} take={setDraw} />}
          {of.kind === "incident" && <Details way={way} view={view} draw={incident?.draw ?? 0} changes={changes} set={setChanges} />}
          <div class="act-end">
            <button type="button" data-testid="cancel" onClick={back}>
              {wizardTexts.back}
            </button>
            <button type="button" class="confirm" data-testid="to-preview" disabled={!enough || !live} onClick={() => setStage("preview")}>
              {wizardTexts.toPreview}
            </button>
          </div>
        </div>
      )}
      {!gone && stage === "preview" && (
        <ActStep
          link={link}
          frame={frame}
          live={live}
          commands={commands}
          intent={intentOf(of, way, changes, draw ?? 0, round)}
          label={title}
          asksWords={of.kind !== "approve"}
          harms={way === "void" || proposal?.kind === "void-round"}
          done={close}
          back={back}
        />
      )}
    </section>
  );
}

function titleOf(of: Case, way: string, cause: string, proposed: string): string {
  switch (of.kind) {
    case "incident":
      return way === "incident" ? cause : (wayTexts[way]?.label ?? way);
    case "void":
      return wayTexts.void?.label ?? "";
    case "hidden":
      return toolTexts.hidden.replace(" …", "");
    case "revise":
      return toolTexts.revise.replace(" …", "");
    case "approve":
      return `${proposalTexts.approve.replace(" …", "")}: ${proposed}`;
  }
}

function intentOf(of: Case, way: string, changes: Change[], draw: number, round: number): Intent {
  switch (of.kind) {
    case "incident":
      return { command: "resolve-incident", arguments: { incident: of.incident, way_out: way, ...(changes.length > 0 ? { correction: changes } : {}) } };
    case "void":
      return { command: "void-round", arguments: {} };
    case "hidden":
      return { command: "open-hidden-card", arguments: { draw } };
    case "revise":
      return { command: "revise-round", arguments: { round, changes } };
    case "approve":
      return { command: "approve-proposal", arguments: { proposal: of.proposal } };
  }
}

interface DetailsProps {
  way: string;
  view: SupervisorView;
  draw: number;
  changes: Change[];
  set: (changes: Change[]) => void;
}

function Details({ way, view, draw, changes, set }: DetailsProps) {
  const { seats } = view.dealer.table;
  if (way === "enter") return <EnterForm draw={draw} changes={changes} set={set} />;
  if (way === "dead-hand") return <DeadHandForm seats={seats.filter((seat) => seat.hands.length > 0).map((seat) => seat.seat)} changes={changes} set={set} />;
  const places: Place[] = [{ seat: 0, hand: 1 }, ...seats.flatMap((seat) => seat.hands.map((hand) => ({ seat: seat.seat, hand: hand.number })))];
  return (
    <>
      {way === "move" && <p class="hint">{wizardTexts.asShown}</p>}
      <ChangesForm kinds={KINDS[way] ?? []} draws={view.rulings.draws} places={places} changes={changes} set={set} />
    </>
  );
}

/** The cards that nobody sees now: those of the round, and what lies burned or held. */
function hiddenDraws(view: SupervisorView): DrawView[] {
  const known = view.rulings.draws;
  const more = view.dealer.last_cards
    .filter((card) => !known.some((one) => one.draw === card.draw))
    .map((card) => ({ draw: card.draw, card: card.card, place: "held", seat: 0, hand: 0, mark: card.mark }));
  return [...known, ...more].filter((one) => one.card === "??" && one.place !== "unread").sort((one, other) => one.draw - other.draw);
}

function HiddenDraws({ draws, chosen, take }: { draws: DrawView[]; chosen: number | null; take: (draw: number) => void }) {
  if (draws.length === 0) return <p class="hint">{wizardTexts.noHidden}</p>;
  return <DrawPicker draws={draws} chosen={chosen} marked={[]} take={take} />;
}
