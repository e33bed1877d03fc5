// What the dealer sets for eyes and ears.

import { useEffect, useState } from "preact/hooks";
import { common, dealerTexts } from "../shared/catalog";
import type { Sounds } from "../shared/sound";

const DARKEST = 20;
const KEPT_AS = "studio-brightness";

function kept(): number {
  const value = Number(localStorage.getItem(KEPT_AS) ?? 100);
  return value >= DARKEST && value <= 100 ? value : 100;
}

/** The screen's brightness, 20 to 100 %, kept on this machine (consoles.md D15). */
export function Brightness() {
  const [percent, setPercent] = useState(kept);
  useEffect(() => {
    document.documentElement.style.setProperty("--light", String(percent / 100));
    localStorage.setItem(KEPT_AS, String(percent));
  }, [percent]);
  return (
    <label class="brightness">
      <span class="fact-label">{dealerTexts.brightness}</span>
      <input
        type="range"
        min={DARKEST}
        max={100}
        step={5}
        value={percent}
        data-testid="brightness"
        onInput={(event) => setPercent(Number(event.currentTarget.value))}
      />
    </label>
  );
}

/** Says when nothing can be heard, and turns the sound on (consoles.md D8). */
export function SoundChip({ heard, sounds }: { heard: boolean; sounds: Sounds }) {
  if (heard) {
    return (
      <span class="sound-on" data-testid="sound">
        {common.soundOn}
      </span>
    );
  }
  return (
    <button type="button" class="sound-off" data-testid="sound" onClick={() => sounds.start()}>
      {common.soundOff}
      <span class="fact-label">{common.soundTap}</span>
    </button>
  );
}
