import type { IncomingMessage } from 'node:http';

const LOOPBACK_ADDRESS = /^(127\.\d+\.\d+\.\d+|::1|::ffff:127\.\d+\.\d+\.\d+)$/;
const LOOPBACK_NAME = /^(localhost|[\w-]+\.localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;
/** Headers that proxies set, such as `x-original-forwarded-for`, `true-client-ip` and `cf-connecting-ip`. */
const PROXY_HEADER = /forwarded|^via$|(client|real|connecting|user)-ip$|^x-(envoy|proxy)/;

/** True if a program on this machine sent the request directly, not as a proxy for another machine. */
export function isFromThisMachine(request: IncomingMessage): boolean {
  return LOOPBACK_ADDRESS.test(request.socket.remoteAddress ?? '') && !isForwarded(request);
}

/** Returns the host name in a request, without its port. Returns an empty string if there is none. */
export function readHostName({ headers }: Pick<IncomingMessage, 'headers'>): string {
  return (headers.host ?? '').toLowerCase().replace(/:\d*$/, '').replace(/\.$/, '');
}

export function isLoopbackName(name: string): boolean {
  return LOOPBACK_NAME.test(name);
}

function isForwarded({ headers, httpVersion }: IncomingMessage): boolean {
  // By default, nginx before 1.29.7 adds no header, but forwards requests as HTTP/1.0. Requests that later versions forward cannot be
  // recognized.
  if (httpVersion === '1.0') return true;
  return Object.keys(headers).some((name) => PROXY_HEADER.test(name));
}
