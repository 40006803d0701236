/** Where a request went, taken from its request line and host. */
export interface Target {
  /** Without the query. */
  readonly path: string;
  /** Without the question mark; empty where there is none. */
  readonly query: string;
  /** Whole, with the query. */
  readonly url: string;
}

const maxPath = 8192;
const maxUrl = 65_536;
const maxHost = 1024;

/** Reads a request target in any of its forms (RFC 9112, section 3.2): origin (`/a?b`), absolute (`http://host/a?b`), authority, asterisk. */
export function parseTarget(target: string, host: string | undefined, secure: boolean): Target {
  const absolute = /^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i.exec(target);
  const local = absolute === null ? target : target.slice(absolute[0].length) || '/';
  const mark = local.indexOf('?');
  const path = mark === -1 ? local : local.slice(0, mark);
  const origin = absolute?.[0] ?? `${secure ? 'https' : 'http'}://${(host ?? 'localhost').slice(0, maxHost)}`;
  return {
    path: path.slice(0, maxPath),
    query: mark === -1 ? '' : local.slice(mark + 1),
    url: (local.startsWith('/') ? origin + local : target).slice(0, maxUrl),
  };
}
