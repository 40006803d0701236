import { Agent, IncomingMessage, OutgoingMessage } from 'node:http';
import { Server } from 'node:net';
import { Stream } from 'node:stream';
import { getPrototypeOf, isProxy, objectKeys } from './snapshot-intrinsics.ts';

/**
 * Node's own streams, servers and messages hang together with the whole process: copied like other objects, each handler's `req` and `res` would
 * fill the request's budget with sockets and parsers. Of them is shown what a person put there or asks for: the method and address of a request, its
 * `params`, `body`, `user`; nothing of a socket but that it is one.
 */
const shownOf: readonly (readonly [prototype: object, hidden: ReadonlySet<string> | 'all'])[] = [
  [
    IncomingMessage.prototype,
    new Set([
      ...[
        'socket',
        'httpVersionMajor',
        'httpVersionMinor',
        'httpVersion',
        'complete',
        'rawHeaders',
        'rawTrailers',
      ],
      ...['joinDuplicateHeaders', 'aborted', 'upgrade', 'statusCode', 'statusMessage', 'client'],
      // Express's.
      ...['next', 'res', 'app', 'route', 'baseUrl', 'originalUrl'],
    ]),
  ],
  [
    OutgoingMessage.prototype,
    new Set([
      ...[
        'outputData',
        'outputSize',
        'writable',
        'destroyed',
        'chunkedEncoding',
        'shouldKeepAlive',
        'finished',
      ],
      ...[
        'maxRequestsOnConnectionReached',
        'useChunkedEncodingByDefault',
        'sendDate',
        'strictContentLength',
        'socket',
      ],
      ...['req', 'app', 'agent', 'parser', 'res'],
    ]),
  ],
  [Stream.prototype, 'all'],
  [Server.prototype, 'all'],
  [Agent.prototype, 'all'],
];

const maxChain = 32;
const nothing: ReadonlySet<string> = new Set();
const found = new WeakMap<object, ReadonlySet<string> | 'all'>();
const recall = found.get.bind(found);
const remember = found.set.bind(found);

/** The keys worth showing of an object with this prototype; undefined when it is none of Node's handles. */
export function handleKeys(object: object, prototype: object | null): string[] | undefined {
  if (prototype === null) return undefined;
  let hidden = recall(prototype);
  if (hidden === undefined) {
    hidden = hiddenKeys(prototype);
    remember(prototype, hidden);
  }
  if (hidden === nothing) return undefined;
  if (hidden === 'all') return [];
  const keys: string[] = [];
  for (const key of objectKeys(object)) if (key[0] !== '_' && !hidden.has(key)) keys.push(key);
  return keys;
}

function hiddenKeys(prototype: object): ReadonlySet<string> | 'all' {
  let link: object | null = prototype;
  for (let steps = 0; link !== null && steps < maxChain && !isProxy(link); steps++) {
    for (const [known, hidden] of shownOf) if (link === known) return hidden;
    link = getPrototypeOf(link);
  }
  return nothing;
}
