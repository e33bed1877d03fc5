// A button that acts after it was held for 1.5 s, by finger, mouse or key: harm takes a pause, not a second click.

import { useEffect, useRef, useState } from "preact/hooks";
import { supervisorTexts } from "../shared/catalog";

const HOLD_MS = 1500;

interface HoldProps {
  testid: string;
  label: string;
  disabled: boolean;
  pending: boolean;
  done: () => void;
}

export function HoldButton({ testid, label, disabled, pending, done }: HoldProps) {
  const [holding, setHolding] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const finish = useRef(done);
  finish.current = done;

  const stop = (): void => {
    clearTimeout(timer.current);
    timer.current = undefined;
    setHolding(false);
  };
  const start = (): void => {
    if (disabled || timer.current !== undefined) return;
    setHolding(true);
    timer.current = setTimeout(() => {
      stop();
      finish.current();
    }, HOLD_MS);
  };
  // What became impossible while it was held must not happen at the end of it.
  useEffect(() => {
    if (disabled) stop();
  }, [disabled]);
  useEffect(() => () => clearTimeout(timer.current), []);

  const isKey = (event: KeyboardEvent): boolean => event.code === "Space" || event.code === "Enter";
  return (
    <button
      type="button"
      class={`hold ${holding ? "holding" : ""}`}
      data-testid={testid}
      data-keys="own"
      data-pending={pending}
      disabled={disabled}
      onPointerDown={(event) => event.button === 0 && start()}
      onPointerUp={stop}
      onPointerLeave={stop}
      onPointerCancel={stop}
      onBlur={stop}
      onContextMenu={(event) => event.preventDefault()}
      onKeyDown={(event) => {
        if (!isKey(event)) return;
        event.preventDefault();
        if (!event.repeat) start();
      }}
      onKeyUp={(event) => isKey(event) && stop()}
    >
      <span class="hold-fill" aria-hidden="true" />
      <span class="hold-label">{holding ? supervisorTexts.holding : label}</span>
    </button>
  );
}
