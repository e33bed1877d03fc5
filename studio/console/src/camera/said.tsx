// What came of a step; what went wrong stands out by ground and shape as the consoles' refusals do.

export interface Word {
  good: boolean;
  text: string;
}

export function Said({ word, testid }: { word: Word | null; testid: string }) {
  return (
    <p role="status" class={word === null ? "said" : `said ${word.good ? "good" : "wrong"}`} data-testid={testid}>
      {word === null ? "" : word.text.charAt(0).toUpperCase() + word.text.slice(1)}
    </p>
  );
}
