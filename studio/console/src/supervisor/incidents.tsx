// The list of what is open, the worst first (consoles.md S1), with the ways out that the view offers.

import { supervisorTexts, common } from "../shared/catalog";
import { words } from "../shared/format";
import type { IncidentView, SupervisorView } from "../shared/types";
import type { Decision } from "./decision";

interface ListProps {
  view: SupervisorView;
  live: boolean;
  decision: Decision | null;
  decide: (way: string, incident: number) => void;
}

/** Ways out that name cards or a seat: this list has no place to say which. */
const needsCards = new Set(["correct", "out-of-play", "enter", "dead-hand"]);

export function wayLabel(way: string): string {
  return way === "void" ? supervisorTexts.void : (common.waysOut[way] ?? words(way));
}

export function IncidentList({ view, live, decision, decide }: ListProps) {
  const { columns } = supervisorTexts;
  if (view.incidents.length === 0) {
    return (
      <p class="none" data-testid="no-incidents">
        {supervisorTexts.noIncidents}
      </p>
    );
  }
  const ordered = [...view.incidents].sort((one, other) => rank(one) - rank(other) || one.number - other.number);
  return (
    <table class="incidents" aria-label={supervisorTexts.incidents} data-testid="incidents">
      <thead>
        <tr>
          <th>{columns.level}</th>
          <th>{columns.table}</th>
          <th>{columns.happened}</th>
          <th>{columns.todo}</th>
          <th>{columns.detail}</th>
          <th>{columns.tries}</th>
        </tr>
      </thead>
      {ordered.map((incident) => (
        <tbody key={incident.number} data-testid={`incident-${incident.number}`} class={incident.level}>
          <tr>
            <td class="level">
              <svg viewBox="0 0 40 40" aria-hidden="true">
                {incident.level === "suspend" ? <path d="M13 3h14l10 10v14L27 37H13L3 27V13z" /> : <path d="M20 3 38 36H2z" />}
              </svg>
              {common.levels[incident.level] ?? incident.level}
            </td>
            <td>{view.dealer.table.name}</td>
            <td class="cause">{incident.cause}</td>
            <td>{incident.next_step}</td>
            <td class="detail">
              {incident.detail}
              {incident.cleared && <span class="cleared">{supervisorTexts.gone}</span>}
            </td>
            <td class="tries">{incident.tries}</td>
          </tr>
          <tr>
            <td colSpan={6}>
              <div class="ways">
                {incident.ways_out.filter((way) => !needsCards.has(way)).map((way) => (
                  <button
                    key={way}
                    type="button"
                    data-testid={`way-${incident.number}-${way}`}
                    aria-pressed={decision?.incident === incident.number && decision.way === way}
                    disabled={!live}
                    onClick={() => decide(way, incident.number)}
                  >
                    {wayLabel(way)} …
                  </button>
                ))}
              </div>
            </td>
          </tr>
        </tbody>
      ))}
    </table>
  );
}

function rank(incident: IncidentView): number {
  return ["suspend", "hold"].indexOf(incident.level) + 1 || 3;
}
