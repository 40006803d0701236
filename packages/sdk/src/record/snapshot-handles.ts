import { Agent, IncomingMessage, OutgoingMessage } from 'node:http';
import { Server } from 'node:net';
import { Stream } from 'node:stream';
import { getPrototypeOf, isProxy, objectKeys } from './snapshot-intrinsics.ts';

/**
 * Node's own streams, servers and messages hang together with the whole process: copied like other objects, each handler's `req` and `res` would
 * fill the request's budget with sockets and parsers. Of them is shown what a person put there or asks for: the method and address of a request, its
 * `params`, `body`, `user`; nothing of a socket but that it is one.
 */
const shownOf: readonly (readonly [prototype: object, hidden: Names | 'all'])[] = [
  [
    IncomingMessage.prototype,
    names(
      'socket httpVersionMajor httpVersionMinor httpVersion complete rawHeaders rawTrailers joinDuplicateHeaders aborted upgrade statusCode statusMessage client',
      // Express's.
      'next res app route baseUrl originalUrl',
    ),
  ],
  [
    OutgoingMessage.prototype,
    names(
      'outputData outputSize writable destroyed chunkedEncoding shouldKeepAlive finished maxRequestsOnConnectionReached useChunkedEncodingByDefault',
      'sendDate strictContentLength socket req app agent parser res',
    ),
  ],
  [Stream.prototype, 'all'],
  [Server.prototype, 'all'],
  [Agent.prototype, 'all'],
];

/** Looked up without a method: the host may have replaced those of Set. */
type Names = { readonly [name: string]: true };

function names(...lists: string[]): Names {
  const table: Record<string, true> = Object.create(null);
  for (const name of lists.join(' ').split(' ')) table[name] = true;
  return table;
}

const maxChain = 32;
const nothing: Names = names();
const found = new WeakMap<object, Names | 'all'>();
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
  const all = objectKeys(object);
  const keys: string[] = [];
  let count = 0;
  for (let index = 0; index < all.length; index++) {
    const key = all[index] ?? '';
    if (key[0] !== '_' && hidden[key] === undefined) keys[count++] = key;
  }
  return keys;
}

function hiddenKeys(prototype: object): Names | 'all' {
  let link: object | null = prototype;
  for (let steps = 0; link !== null && steps < maxChain && !isProxy(link); steps++) {
    for (let index = 0; index < shownOf.length; index++) {
      const entry = shownOf[index];
      if (entry !== undefined && link === entry[0]) return entry[1];
    }
    link = getPrototypeOf(link);
  }
  return nothing;
}
