// Hotkeys that a keyboard-wedge scanner cannot press: it types letters a few milliseconds apart, a person does not
// (consoles.md D11). A burst triggers nothing and leaves no letter in a text field.

const BURST_MS = 30;

export type Hotkeys = Record<string, () => void>;

type Field = HTMLInputElement | HTMLTextAreaElement;

function isField(target: EventTarget | null): target is Field {
  return target instanceof HTMLInputElement ? target.type === "text" : target instanceof HTMLTextAreaElement;
}

/**
 * Listen for `hotkeys`, by `KeyboardEvent.code` (with Shift, `Shift+` and the code first); return how to stop. A key counts once no other key came within
 * 30 ms before or after it. Space and Enter press a focused button by the same rule; the browser's own pressing is
 * off, except for buttons that listen to keys themselves (`data-keys="own"`).
 */
export function listen(hotkeys: () => Hotkeys): () => void {
  let lastAt = -Infinity;
  let waiting: ReturnType<typeof setTimeout> | undefined;
  let before: { field: Field; value: string } | null = null;

  const onKey = (event: KeyboardEvent): void => {
    // Shift belongs to the key after it, however fast that comes.
    if (event.key === "Shift" || event.repeat || event.ctrlKey || event.altKey || event.metaKey) return;
    const burst = event.timeStamp - lastAt < BURST_MS;
    lastAt = event.timeStamp;
    clearTimeout(waiting);
    if (isField(event.target)) {
      if (!burst) {
        before = { field: event.target, value: event.target.value };
      } else if (event.key.length === 1 || event.key === "Enter") {
        event.preventDefault();
        if (before?.field === event.target && event.target.value !== before.value) {
          event.target.value = before.value;
          event.target.dispatchEvent(new Event("input", { bubbles: true }));
        }
      }
      if (event.code !== "F9") return;
    }
    const action = actionOf(event, hotkeys());
    if (action === null) return;
    event.preventDefault();
    if (!burst) waiting = setTimeout(action, BURST_MS + 5);
  };

  // A button acts on the release of Space by itself: that would bypass the rule above.
  const onKeyUp = (event: KeyboardEvent): void => {
    if (event.code === "Space" && event.target instanceof HTMLButtonElement && event.target.dataset.keys !== "own") {
      event.preventDefault();
    }
  };

  window.addEventListener("keydown", onKey);
  window.addEventListener("keyup", onKeyUp);
  return () => {
    clearTimeout(waiting);
    window.removeEventListener("keydown", onKey);
    window.removeEventListener("keyup", onKeyUp);
  };
}

function actionOf(event: KeyboardEvent, hotkeys: Hotkeys): (() => void) | null {
  const { target } = event;
  if (target instanceof HTMLButtonElement && target.dataset.keys === "own") return null;
  const hotkey = (event.shiftKey ? hotkeys[`Shift+${event.code}`] : undefined) ?? hotkeys[event.code];
  if (hotkey) return hotkey;
  if ((event.code === "Space" || event.code === "Enter") && target instanceof HTMLButtonElement) {
    return () => target.click();
  }
  return null;
}
