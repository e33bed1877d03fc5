// A panel over the right side of the table; Escape closes it, and the focus goes back to where it came from.

import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { useTexts } from "./language";

export function Panel({ title, name, close, children }: { title: string; name: string; close: () => void; children: ComponentChildren }) {
  const texts = useTexts();
  const place = useRef<HTMLElement>(null);
  useEffect(() => {
    const from = document.activeElement;
    place.current?.focus();
    return () => {
      if (from instanceof HTMLElement) from.focus();
    };
  }, []);
  return (
    <section class="panel" role="dialog" aria-label={title} tabIndex={-1} ref={place} data-testid={`panel-${name}`}>
      <header>
        <h2>{title}</h2>
        <button type="button" data-testid="close-panel" onClick={close}>
          {texts.close} <kbd>Esc</kbd>
        </button>
      </header>
      <div class="panel-body">{children}</div>
    </section>
  );
}
