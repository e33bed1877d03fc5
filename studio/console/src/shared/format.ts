// Numbers as people read them. Amounts come as integer minor units and never become fractions on the way.

/** `123400` becomes `1,234.00`. */
export function amount(minor: number): string {
  const sign = minor < 0 ? "-" : "";
  const whole = Math.floor(Math.abs(minor) / 100);
  const cents = String(Math.abs(minor) % 100).padStart(2, "0");
  return `${sign}${String(whole).replace(/\B(?=(\d{3})+$)/g, ",")}.${cents}`;
}

/** `2500` becomes `+25.00`. */
export const signed = (minor: number): string => (minor > 0 ? `+${amount(minor)}` : amount(minor));

/** Seconds as `0:07` or `12:40`; never below zero. */
export function clock(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds));
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
}

/** `card-dealt` becomes `Card dealt`. */
export function words(code: string): string {
  const text = code.replaceAll("-", " ");
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Hours and minutes of a wall time in nanoseconds. */
export function timeOfDay(wallNs: number): string {
  return new Date(wallNs / 1e6).toLocaleTimeString("en-GB", { hour: "2-digit", minute: "2-digit" });
}
