import type { TracedRequest, TracedResponse } from './traced-message.ts';

export type Headers = Readonly<Record<string, string | readonly string[]>>;

/** A response's headers as they went out: from the head that was sent, which also has those given to `writeHead`; else those set so far. */
export function responseHeaders(res: TracedResponse): Headers {
  // Of HTTP/1 Node keeps the head it sent as text; `getHeaders()` misses what went straight through `writeHead`.
  const head: unknown = Reflect.get(res, '_header');
  return typeof head === 'string' ? parseHead(head) : setHeaders(res);
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
