import type { TracedRequest, TracedResponse } from './traced-message.ts';

export type Headers = Readonly<Record<string, string | readonly string[]>>;

/** Where the status stands in `HTTP/1.1 200 OK`. */
const STATUS_START = 9;
const STATUS_END = 12;

/** A response's status as it went out: the host may set another one afterwards, which nobody gets. */
export function sentStatus(res: TracedResponse): number {
  const head = headText(res);
  const sent = head === undefined ? Number.NaN : Number(head.slice(STATUS_START, STATUS_END));
  return sent > 0 ? sent : res.statusCode;
}

/** A response's headers as they went out: from the head that was sent, which also has those given to `writeHead`; else those set so far. */
export function responseHeaders(res: TracedResponse): Headers {
  const head = headText(res);
  return head === undefined ? setHeaders(res) : parseHead(head);
}

/** For HTTP/1, Node keeps the sent head as text; `getHeaders()` misses headers that went directly to `writeHead`. */
function headText(res: TracedResponse): string | undefined {
  const head: unknown = Reflect.get(res, '_header');
  return typeof head === 'string' ? head : undefined;
}

function setHeaders(res: TracedResponse): Headers {
  const headers: [string, string | readonly string[]][] = [];
  for (const [name, value] of Object.entries(res.getHeaders())) {
    if (value !== undefined) headers.push([name, typeof value === 'number' ? String(value) : value]);
  }
  return Object.fromEntries(headers);
}

/** Header lines by lower-case name; one that came several times as a list. */
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

/** A request's headers by lower-case name, as Node joined them. */
export function requestHeaders(req: TracedRequest): Headers {
  const headers: [string, string | readonly string[]][] = [];
  for (const [name, value] of Object.entries(req.headers)) {
    if (value !== undefined) headers.push([name, value]);
  }
  return Object.fromEntries(headers);
}

export function single(value: string | readonly string[] | undefined): string | undefined {
  return typeof value === 'string' ? value : value?.[0];
}
