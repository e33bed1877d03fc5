// Three sounds that cannot be taken for one another (consoles.md D8). Browsers keep the sound off until a person
// touches the page; everything that sounds is also shown.

export type Sound = "accept" | "refuse" | "chime";

interface Tone {
  hertz: number;
  at: number;
  seconds: number;
  shape: OscillatorType;
}

const TONES: Record<Sound, Tone[]> = {
  accept: [{ hertz: 1320, at: 0, seconds: 0.05, shape: "sine" }],
  refuse: [
    { hertz: 330, at: 0, seconds: 0.18, shape: "square" },
    { hertz: 220, at: 0.2, seconds: 0.28, shape: "square" },
  ],
  chime: [
    { hertz: 784, at: 0, seconds: 0.5, shape: "sine" },
    { hertz: 1047, at: 0.18, seconds: 0.5, shape: "sine" },
    { hertz: 1319, at: 0.36, seconds: 0.7, shape: "sine" },
  ],
};

const LOUDNESS: Record<OscillatorType, number> = { sine: 0.25, square: 0.08, sawtooth: 0.08, triangle: 0.2, custom: 0.1 };

export class Sounds {
  #context: AudioContext | null = null;
  #changed: (running: boolean) => void;

  /** `changed` is told when sound starts or stops being possible. */
  constructor(changed: (running: boolean) => void) {
    this.#changed = changed;
  }

  /** Start the audio; works only in the course of a tap or a key press. */
  start(): void {
    if (this.#context === null) {
      const context = new AudioContext();
      context.onstatechange = () => this.#changed(context.state === "running");
      this.#context = context;
    }
    void this.#context.resume().then(() => this.#changed(this.#context?.state === "running"));
  }

  play(sound: Sound): void {
    const context = this.#context;
    if (context?.state !== "running") return;
    for (const tone of TONES[sound]) ring(context, tone);
  }
}

function ring(context: AudioContext, tone: Tone): void {
  const oscillator = context.createOscillator();
  const gain = context.createGain();
  const start = context.currentTime + tone.at;
  const end = start + tone.seconds;
  oscillator.type = tone.shape;
  oscillator.frequency.value = tone.hertz;
  // A short rise and a fall to silence: a hard edge would click.
  gain.gain.setValueAtTime(0.0001, start);
  gain.gain.exponentialRampToValueAtTime(LOUDNESS[tone.shape], start + 0.008);
  gain.gain.exponentialRampToValueAtTime(0.0001, end);
  oscillator.connect(gain).connect(context.destination);
  oscillator.start(start);
  oscillator.stop(end + 0.02);
}
