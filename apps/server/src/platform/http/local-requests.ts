import type { IncomingMessage } from 'node:http';

const LOOPBACK_ADDRESS = /^(127\.\d+\.\d+\.\d+|::1|::ffff:127\.\d+\.\d+\.\d+)$/;
const LOOPBACK_NAME = /^(localhost|[\w-]+\.localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;
/** Besides `x-forwarded-…`. */
const PROXY_HEADERS = ['forwarded', 'via', 'x-real-ip', 'x-client-ip', 'true-client-ip', 'cf-connecting-ip'];

/** Returns true where a program on this machine sent the request itself, and did not forward it. */
export function isFromThisMachine(request: IncomingMessage): boolean {
  return LOOPBACK_ADDRESS.test(request.socket.remoteAddress ?? '') && !isForwarded(request);
}

/** The name that a request calls this server by, without its port; empty for none. */
export function readHostName({ headers }: Pick<IncomingMessage, 'headers'>): string {
  return (headers.host ?? '').toLowerCase().replace(/:\d*$/, '').replace(/\.$/, '');
}

export function isLoopbackName(name: string): boolean {
  return LOOPBACK_NAME.test(name);
}

function isForwarded({ headers, httpVersion }: IncomingMessage): boolean {
  // A plain nginx adds no header; it speaks HTTP/1.0, which nothing that reads metrics does.
  if (httpVersion === '1.0') return true;
  return Object.keys(headers).some((name) => name.startsWith('x-forwarded') || PROXY_HEADERS.includes(name));
}
