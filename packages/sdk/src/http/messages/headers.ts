import type { TracedRequest, TracedResponse } from './traced-message.ts';

export type Headers = Readonly<Record<string, string | readonly string[]>>;

/** Position of the status in `HTTP/1.1 200 OK`. */
const STATUS_START = 9;
const STATUS_END = 12;

/** Returns the status that was sent. The host can set another status afterwards, which no client receives. */
export function readSentStatus(res: TracedResponse): number {
  const head = readHeadText(res);
  const sent = head === undefined ? Number.NaN : Number(head.slice(STATUS_START, STATUS_END));
  return sent > 0 ? sent : res.statusCode;
}

/** Returns the headers that were sent, including those passed to `writeHead`. If no head was sent, returns the headers set so far. */
export function readResponseHeaders(res: TracedResponse): Headers {
  const head = readHeadText(res);
  return head === undefined ? setHeaders(res) : parseHead(head);
}

/** Returns the sent head of an HTTP/1 response. `getHeaders()` lacks headers that were passed directly to `writeHead`. */
function readHeadText(res: TracedResponse): string | undefined {
  const head: unknown = Reflect.get(res, '_header');
  return typeof head === 'string' ? head : undefined;
}

function setHeaders(res: TracedResponse): Headers {
  const headers: [string, string | readonly string[]][] = [];
  for (const [name, value] of Object.entries(res.getHeaders())) {
    const text = convertHeader(value);
    if (text !== undefined) headers.push([name, text]);
  }
  return Object.fromEntries(headers);
}

/** Parses header lines into an object with lower-case names. A header that occurs several times becomes a list. */
export function parseHead(head: string): Headers {
  const headers = new Map<string, string | string[]>();
  const lines = head.split('\r\n');
  for (let i = 1; i < lines.length; i++) {
    const line = lines[i] ?? '';
    const colon = line.indexOf(':');
    if (colon < 1) continue;
    const name = line.slice(0, colon).toLowerCase();
    const value = line.slice(colon + 1).trim();
    const before = headers.get(name);
    if (before === undefined) headers.set(name, value);
    else headers.set(name, typeof before === 'string' ? [before, value] : [...before, value]);
  }
  return Object.fromEntries(headers);
}

/**
 * Returns a request's headers by lower-case name, as Node joined them. Leaves out values that are not headers, because the host can replace
 * `headers`, or a single header, by any value.
 */
export function requestHeaders(req: TracedRequest): Headers {
  const shown: [string, string | readonly string[]][] = [];
  try {
    for (const [name, value] of Object.entries<unknown>(req.headers ?? {})) {
      const text = convertHeader(value);
      if (text !== undefined) shown.push([name, text]);
    }
  } catch {
    // A getter or a proxy of the host has thrown.
  }
  return Object.fromEntries(shown);
}

/** Returns a request's header as Node joined it; for a list, its first item. Undefined if the host replaced the header by another value. */
export function readRequestHeader(req: TracedRequest, name: string): string | undefined {
  try {
    return takeSingle(convertHeader(req.headers?.[name]));
  } catch {
    return undefined;
  }
}

function convertHeader(value: unknown): string | readonly string[] | undefined {
  if (typeof value === 'string') return value;
  if (typeof value === 'number') return String(value);
  if (!Array.isArray(value)) return undefined;
  return value.filter((part) => typeof part === 'string' || typeof part === 'number').map(String);
}

export function takeSingle(value: string | readonly string[] | undefined): string | undefined {
  return typeof value === 'string' ? value : value?.[0];
}
