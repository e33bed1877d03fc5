// Who looks at this panel, and who else may rule.

import { useEffect, useState } from "preact/hooks";
import { getDocument } from "../shared/api";
import type { Link } from "../shared/link";

export interface Me {
  id: string;
  name: string;
  roles: string[];
}

export interface Colleague {
  id: string;
  name: string;
}

const RULING = ["supervisor", "manager"];

/** The person of this sign-in, `null` until the server has said; asked again on each new connection. */
export function useMe(link: Link, live: boolean): Me | null {
  const [me, setMe] = useState<Me | null>(null);
  useEffect(() => {
    if (me !== null || !live) return;
    void getDocument<Me>("/v1/me", link.token).then(setMe);
  }, [live]);
  return me;
}

/** Whether this person may act; until the server has said who it is, it will say itself what it refuses. */
export function mayRule(me: Me | null): boolean {
  return me === null || me.roles.some((role) => RULING.includes(role));
}

/** The other people who may put tables right. */
export function useColleagues(link: Link, me: Me | null): Colleague[] {
  const [found, setFound] = useState<Colleague[]>([]);
  useEffect(() => {
    if (me === null || !mayRule(me)) return;
    void getDocument<Colleague[]>("/v1/supervisors", link.token).then((read) => setFound(read ?? []));
  }, [me]);
  return found.filter((one) => one.id !== me?.id);
}
