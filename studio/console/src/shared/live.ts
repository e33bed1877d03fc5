// The hooks that bind a page to its table: the feed's newest view, the commands under way, the passing of time.

import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { TableApi, type Answer, type Intent, type Refusal } from "./api";
import { common } from "./catalog";
import { Feed, feedAddress, type FeedState } from "./feed";
import type { Link } from "./link";
import { Sounds } from "./sound";

/** A second press within this time is the same press: a double click is one command, also when the view changed. */
const SAME_PRESS_MS = 500;
/** How long a button may wait for the view that its command led to. */
const PENDING_AT_MOST_MS = 1500;

export function useFeed<View>(link: Link, audience: "dealer" | "supervisor"): [FeedState<View>, Feed<View> | null] {
  const [state, setState] = useState<FeedState<View>>({ connection: "offline", frame: null, refusal: "" });
  const [feed, setFeed] = useState<Feed<View> | null>(null);
  useEffect(() => {
    const topic = `tables/${link.table}/${audience}`;
    const options = { address: feedAddress(location), token: link.token, topic, wrongToken: common.wrongToken };
    const opened = new Feed<View>(options, setState);
    setFeed(opened);
    return () => opened.close();
  }, [link.table, link.token, audience]);
  return [state, feed];
}

/** Tell the server of each view that has reached the screen: after the frame, in a task of its own. */
export function usePainted<View>(feed: Feed<View> | null, sequence: number | undefined): void {
  useEffect(() => {
    if (feed === null || sequence === undefined) return;
    requestAnimationFrame(() => setTimeout(() => feed.painted(sequence), 0));
  }, [feed, sequence]);
}

/** Paint again every `milliseconds`, for what counts time. */
export function useTick(milliseconds: number): void {
  const [, setTick] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => setTick((tick) => tick + 1), milliseconds);
    return () => clearInterval(timer);
  }, [milliseconds]);
}

export interface Commands {
  /** The name of the button whose command is under way; empty when none is. */
  pending: string;
  refusal: Refusal | null;
  /** Send `intent` for the button `name`; a press while one is pending does nothing and returns `null`. */
  send: (name: string, intent: Intent) => Promise<Answer | null>;
  dismiss: () => void;
}

/** One command at a time; a button stays pending until the view it led to is shown. */
export function useCommands(link: Link, sequence: number): Commands {
  const api = useMemo(() => new TableApi(link.table, link.token, common.noAnswer), [link.table, link.token]);
  const busy = useRef(false);
  const pressedAt = useRef(-Infinity);
  const [pending, setPending] = useState("");
  const [awaited, setAwaited] = useState<number | null>(null);
  const [refusal, setRefusal] = useState<Refusal | null>(null);

  const release = (): void => {
    busy.current = false;
    setPending("");
    setAwaited(null);
  };

  const restOfPress = (): number => Math.max(0, SAME_PRESS_MS - (performance.now() - pressedAt.current));

  useEffect(() => {
    if (awaited === null) return;
    const timer = setTimeout(release, sequence >= awaited ? restOfPress() : PENDING_AT_MOST_MS);
    return () => clearTimeout(timer);
  }, [awaited, sequence]);

  const send = async (name: string, intent: Intent): Promise<Answer | null> => {
    if (busy.current) return null;
    busy.current = true;
    pressedAt.current = performance.now();
    setPending(name);
    setRefusal(null);
    const answer = await api.send(intent);
    if (answer.ok) {
      setAwaited(answer.sequence);
    } else {
      setRefusal(answer.refusal);
      setTimeout(release, restOfPress());
    }
    return answer;
  };

  return { pending, refusal, send, dismiss: () => setRefusal(null) };
}

/** The page's sounds, and whether they can be heard; any tap or key starts them. */
export function useSounds(): [Sounds, boolean] {
  const [running, setRunning] = useState(false);
  const sounds = useMemo(() => new Sounds(setRunning), []);
  useEffect(() => {
    const start = (): void => sounds.start();
    window.addEventListener("pointerdown", start);
    window.addEventListener("keydown", start);
    return () => {
      window.removeEventListener("pointerdown", start);
      window.removeEventListener("keydown", start);
    };
  }, [sounds]);
  return [sounds, running];
}
