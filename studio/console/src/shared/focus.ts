// Focus that live updates cannot lose (consoles.md S14): what had it gets it back, or else the nearest place left.

import type { RefObject } from "preact";
import { useEffect, useRef } from "preact/hooks";

/** Give an element the focus once, when it appears. */
export function useFocusOnce<Type extends HTMLElement>(): RefObject<Type> {
  const place = useRef<Type>(null);
  useEffect(() => place.current?.focus(), []);
  return place;
}

/**
 * Keep the keyboard's place inside `root`: a focused button that was disabled for a moment gets the focus back, one
 * that is gone hands it to the first `[data-focus]` that is left.
 */
export function useKeptFocus(root: RefObject<HTMLElement>): void {
  useEffect(() => {
    const place = root.current;
    if (place === null) return;
    let last: HTMLElement | null = null;
    const remember = (event: FocusEvent): void => {
      last = event.target instanceof HTMLElement ? event.target : null;
    };
    // A press beside everything takes the focus away on purpose.
    const forget = (event: PointerEvent): void => {
      if (event.target instanceof Element && event.target.closest("button, input, select, a, [tabindex]") === null) last = null;
    };
    const restore = (): void => {
      if (last === null || (document.activeElement !== null && document.activeElement !== document.body)) return;
      if (!last.isConnected) place.querySelector<HTMLElement>("[data-focus]")?.focus();
      else if (!last.matches(":disabled")) last.focus();
    };
    const observer = new MutationObserver(() => requestAnimationFrame(restore));
    observer.observe(place, { subtree: true, childList: true, attributes: true, attributeFilter: ["disabled"] });
    place.addEventListener("focusin", remember);
    document.addEventListener("pointerdown", forget);
    return () => {
      observer.disconnect();
      place.removeEventListener("focusin", remember);
      document.removeEventListener("pointerdown", forget);
    };
  }, []);
}
