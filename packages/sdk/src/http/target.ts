/** The URL that a request was sent to, from its request line and host header. */
export interface Target {
  /** Path without the query. */
  readonly path: string;
  /** Query without the question mark; empty if there is none. */
  readonly query: string;
  /** The complete URL, with the query. */
  readonly url: string;
}

/** Parses a request target of any form (RFC 9112, section 3.2): origin (`/a?b`), absolute (`http://host/a?b`), authority, asterisk. */
export function parseTarget(target: string, host: string | undefined, secure: boolean): Target {
  const absolute = /^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i.exec(target);
  const local = absolute === null ? target : target.slice(absolute[0].length) || '/';
  const mark = local.indexOf('?');
  const path = mark === -1 ? local : local.slice(0, mark);
  const origin = absolute?.[0] ?? `${secure ? 'https' : 'http'}://${host ?? 'localhost'}`;
  return {
    path,
    query: mark === -1 ? '' : local.slice(mark + 1),
    url: local.startsWith('/') ? origin + local : target,
  };
}
