// The player's table: the public view from the feed, the own one beside it, and what the player sends. The own view
// comes on the feed where the server sends it, and is read again after each public change and each own command.

import { useCallback, useEffect, useMemo, useRef, useState } from "preact/hooks";
import { TableApi, type Answer } from "../shared/api";
import { Feed, feedAddress, type FeedState } from "../shared/feed";
import type { Link } from "../shared/link";
import type { Frame } from "../shared/types";
import type { PlayerTexts } from "./english";
import type { PlayerView, PublicView, Rules } from "./types";

/** So long the feed may take to bring the own view before it is asked for. */
const PUSH_WITHIN_MS = 80;

export interface PlayerTable {
  feed: Feed<PublicView> | null;
  state: FeedState<PublicView>;
  own: Frame<PlayerView> | null;
  rules: Rules | null;
  name: string;
  api: TableApi;
  /** Send something; while the same `what` is under way it does nothing and returns `null`. */
  send: (what: string, path: string, body: Record<string, unknown>) => Promise<Answer | null>;
  pending: ReadonlySet<string>;
}

export function usePlayerTable(link: Link, texts: PlayerTexts): PlayerTable {
  const [state, setState] = useState<FeedState<PublicView>>({ connection: "offline", frame: null, refusal: "" });
  const [feed, setFeed] = useState<Feed<PublicView> | null>(null);
  const [own, setOwn] = useState<Frame<PlayerView> | null>(null);
  const [rules, setRules] = useState<Rules | null>(null);
  const [name, setName] = useState("");
  const [pending, setPending] = useState<ReadonlySet<string>>(new Set());
  const busy = useRef(new Set<string>());
  const api = useMemo(() => new TableApi(link.table, link.token, texts.noAnswer), [link.table, link.token, texts]);

  const take = useCallback((frame: Frame<PlayerView>): void => {
    // A view made later may have the same sequence: a balance moves without the table.
    setOwn((shown) => (shown !== null && frame.server_wall_ns < shown.server_wall_ns ? shown : frame));
  }, []);

  const reread = useCallback(async (): Promise<void> => {
    const read = await api.get("views/player");
    if (read?.view) take(read as unknown as Frame<PlayerView>);
  }, [api, take]);

  useEffect(() => {
    const options = {
      address: feedAddress(location),
      token: link.token,
      topic: `tables/${link.table}/public`,
      wrongToken: texts.wrongToken,
      also: {
        topic: `tables/${link.table}/player`,
        take: (frame: Frame<unknown>) => take(frame as Frame<PlayerView>),
      },
    };
    const opened = new Feed<PublicView>(options, setState);
    setFeed(opened);
    return () => opened.close();
    // The words are no reason to connect again.
  }, [link.table, link.token, take]);

  const sequence = state.frame?.sequence;
  const ownSequence = own?.sequence ?? -1;
  useEffect(() => {
    if (sequence === undefined || ownSequence >= sequence) return;
    const timer = setTimeout(() => void reread(), PUSH_WITHIN_MS);
    return () => clearTimeout(timer);
  }, [sequence, ownSequence, reread]);

  useEffect(() => {
    if (state.connection === "live") void reread();
  }, [state.connection, reread]);

  const hash = state.frame?.view.rules_hash;
  useEffect(() => {
    if (hash !== undefined) void api.get("rules.json").then((read) => setRules(read as Rules | null));
  }, [api, hash]);

  useEffect(() => {
    void whoAmI(link.token).then(setName);
  }, [link.token]);

  const send = async (what: string, path: string, body: Record<string, unknown>): Promise<Answer | null> => {
    if (busy.current.has(what)) return null;
    busy.current.add(what);
    setPending(new Set(busy.current));
    const answer = await api.post(path, body);
    await reread();
    busy.current.delete(what);
    setPending(new Set(busy.current));
    return answer;
  };

  return { feed, state, own, rules, name, api, send, pending };
}

async function whoAmI(token: string): Promise<string> {
  try {
    const answer = await fetch("/v1/me", { headers: { Authorization: `Bearer ${token}` } });
    return answer.ok ? String(((await answer.json()) as { name?: unknown }).name ?? "") : "";
  } catch {
    return "";
  }
}
