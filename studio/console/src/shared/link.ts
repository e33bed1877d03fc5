// What the page's address says: table and tokens stand in the fragment, which never reaches a server.

export interface Link {
  table: string;
  token: string;
}

export function fragment(hash: string): URLSearchParams {
  return new URLSearchParams(hash.replace(/^#/, ""));
}

/** The table and token of a console's address; `null` when one is missing. */
export function parseLink(hash: string): Link | null {
  const parts = fragment(hash);
  const table = parts.get("table");
  const token = parts.get("token");
  return table && token ? { table, token } : null;
}

export function consoleAddress(page: "dealer" | "supervisor" | "player" | "evidence", link: Link): string {
  return `/${page}#${new URLSearchParams({ table: link.table, token: link.token }).toString()}`;
}
