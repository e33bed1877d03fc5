// The devices of a table that are not ready, each by a shape and a word; a ready one is not shown.

import { deviceTexts } from "./catalog";
import type { DeviceView } from "./types";

export function unready(devices: DeviceView[]): DeviceView[] {
  return devices.filter((device) => device.link !== "ready");
}

export function DeviceChips({ devices }: { devices: DeviceView[] }) {
  const shown = unready(devices);
  if (shown.length === 0) return null;
  return (
    <ul class="devices" data-testid="devices" aria-label={deviceTexts.devices}>
      {shown.map((device) => (
        <li
          key={device.device}
          class={`device ${isGone(device) ? "gone" : ""}`}
          data-testid={`device-${device.role}`}
          data-link={device.link}
          title={device.reason}
        >
          <Shape link={device.link} />
          <span>
            {deviceTexts.roles[device.role] ?? device.role}
            <b>{deviceTexts.links[device.link] ?? device.link}</b>
          </span>
        </li>
      ))}
    </ul>
  );
}

/** What is wrong with each and what to do; for a supervisor also what its line has been like. */
export function DeviceReasons({ devices, counts = false }: { devices: DeviceView[]; counts?: boolean }) {
  const shown = unready(devices);
  if (shown.length === 0) return null;
  return (
    <div class="device-reasons">
      {shown.map((device) => (
        <p key={device.device} data-testid={`reason-${device.role}`} title={device.reason}>
          <b>{deviceTexts.roles[device.role] ?? device.role}:</b> {device.reason}
          {counts && <span class="device-counts"> {deviceTexts.counts(device.losses, errors(device))}</span>}
        </p>
      ))}
    </div>
  );
}

function isGone(device: DeviceView): boolean {
  return device.link === "lost" || device.link === "absent";
}

function errors(device: DeviceView): string {
  return Object.entries(device.errors)
    .map(([cause, count]) => `${count} ${cause}`)
    .join(", ");
}

/** Not there: a hollow square; lost: a cross; silent: a hollow triangle; on its way: an open ring. */
function Shape({ link }: { link: string }) {
  return (
    <svg viewBox="0 0 20 20" aria-hidden="true" fill="none" stroke="currentcolor" stroke-width="2.5">
      {link === "absent" && <path d="M4 4h12v12H4z" />}
      {link === "lost" && <path d="M4 4 16 16M16 4 4 16" />}
      {link === "stale" && <path d="M10 3 18 17H2z" />}
      {(link === "opening" || link === "syncing") && <circle cx="10" cy="10" r="6" stroke-dasharray="28 10" />}
    </svg>
  );
}
