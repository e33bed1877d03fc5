// The live picture, on which a person shows the table's corners: by touch or click, or with the arrow keys and Enter.

import { useRef, useState } from "preact/hooks";
import { cameraTexts } from "./texts";

export const CORNERS = 4;
const STEP = 2;
const WIDE_STEP = 20;
const ARROWS: Record<string, Point> = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/** In the camera's own pixels. */
export type Point = [number, number];

interface LiveProps {
  picture: string | null;
  corners: Point[];
  set: (point: Point) => void;
}

export function Live({ picture, corners, set }: LiveProps) {
  const image = useRef<HTMLImageElement>(null);
  const [size, setSize] = useState<Point>([1, 1]);
  const [aim, setAim] = useState<Point | null>(null);
  if (picture === null) {
    return (
      <div class="live" data-testid="live">
        <p class="waiting">{cameraTexts.noPicture}</p>
      </div>
    );
  }
  const onClick = (event: MouseEvent): void => {
    const shown = image.current;
    if (shown === null) return;
    const box = shown.getBoundingClientRect();
    const scale = shown.naturalWidth / box.width;
    setAim(null);
    // A finger beside the picture means its edge: a table that fills the picture has its corners there.
    set([within((event.clientX - box.left) * scale, shown.naturalWidth), within((event.clientY - box.top) * scale, shown.naturalHeight)]);
  };
  const onKey = (event: KeyboardEvent): void => {
    const at: Point = aim ?? [size[0] / 2, size[1] / 2];
    const arrow = ARROWS[event.key];
    if (arrow !== undefined) {
      const by = event.shiftKey ? STEP : WIDE_STEP;
      setAim([within(at[0] + arrow[0] * by, size[0]), within(at[1] + arrow[1] * by, size[1])]);
    } else if (event.key === "Enter" && aim !== null) {
      set(aim);
    } else {
      return;
    }
    event.preventDefault();
  };
  return (
    <div class="live" data-testid="live" role="group" tabIndex={0} aria-label={cameraTexts.byKeys} onClick={onClick} onKeyDown={onKey}>
      <div class="live-picture">
        <img
          ref={image}
          src={picture}
          alt={cameraTexts.picture}
          onLoad={(event) => setSize([event.currentTarget.naturalWidth, event.currentTarget.naturalHeight])}
        />
        <Marks corners={corners} aim={aim} size={size} />
      </div>
    </div>
  );
}

/** The corners shown so far, joined as the table's edge, and where the keys aim. */
function Marks({ corners, aim, size }: { corners: Point[]; aim: Point | null; size: Point }) {
  const unit = size[0] / 60;
  const edge = corners.map((point) => point.join(",")).join(" ");
  return (
    <svg class="marks" viewBox={`0 0 ${size[0]} ${size[1]}`} aria-hidden="true">
      {corners.length === CORNERS ? <polygon points={edge} /> : <polyline points={edge} />}
      {corners.map(([x, y], index) => (
        <g key={index} data-testid={`corner-${index + 1}`}>
          <circle cx={x} cy={y} r={unit} />
          <circle class="dot" cx={x} cy={y} r={unit / 8} />
          <text
            x={x + unit * (x < size[0] / 2 ? 1.3 : -1.3)}
            y={y + unit * (y < size[1] / 2 ? 1.8 : -0.9)}
            text-anchor={x < size[0] / 2 ? "start" : "end"}
            font-size={unit * 1.6}
          >
            {index + 1}
          </text>
        </g>
      ))}
      {aim !== null && <path class="aim" d={`M${aim[0] - unit} ${aim[1]}h${2 * unit}M${aim[0]} ${aim[1] - unit}v${2 * unit}`} />}
    </svg>
  );
}

function within(value: number, most: number): number {
  return Math.min(Math.max(value, 0), most);
}
