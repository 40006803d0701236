import { Agent, IncomingMessage, OutgoingMessage } from 'node:http';
import { Server } from 'node:net';
import { Stream } from 'node:stream';
import { getPrototypeOf, isProxy } from './snapshot-intrinsics.ts';

/**
 * Node's own streams, servers and messages hang together with the whole process: copied like other objects, each handler's `req` and `res` would
 * fill the request's budget with sockets and parsers. Of them is shown what a person put there or asks for: the method and address of a request, its
 * `params`, `body`, `user`; nothing of a socket but that it is one.
 */
const incoming = names(
  'socket httpVersionMajor httpVersionMinor httpVersion complete rawHeaders rawTrailers joinDuplicateHeaders aborted upgrade statusCode statusMessage client',
  // Express's.
  'next res app route baseUrl originalUrl',
);
const outgoing = names(
  'outputData outputSize writable destroyed chunkedEncoding shouldKeepAlive finished maxRequestsOnConnectionReached useChunkedEncodingByDefault',
  'sendDate strictContentLength socket req app agent parser res',
);

/** What an object is of Node's own: nothing, something whose properties are shown but for some, or something of which none is shown. */
type HandleKind = 0 | 1 | 2 | 3;
export const NO_HANDLE = 0;
const INCOMING = 1;
const OUTGOING = 2;
export const CLOSED_HANDLE = 3;

const kinds: readonly (readonly [prototype: object, kind: HandleKind])[] = [
  [IncomingMessage.prototype, INCOMING],
  [OutgoingMessage.prototype, OUTGOING],
  [Stream.prototype, CLOSED_HANDLE],
  [Server.prototype, CLOSED_HANDLE],
  [Agent.prototype, CLOSED_HANDLE],
];

/** Looked up without a method: the host may have replaced those of Set. */
type Names = { readonly [name: string]: true };

function names(...lists: string[]): Names {
  const table: Record<string, true> = Object.create(null);
  for (const name of lists.join(' ').split(' ')) table[name] = true;
  return table;
}

/** In which kinds of handles a property of this name is not shown: their bits, or-ed. */
export function hiddenIn(name: string): number {
  if (name[0] === '_') return INCOMING | OUTGOING;
  return (incoming[name] === true ? INCOMING : 0) | (outgoing[name] === true ? OUTGOING : 0);
}

const maxChain = 32;
const found = new WeakMap<object, HandleKind>();
const recall = found.get.bind(found);
const remember = found.set.bind(found);

/** What an object with this prototype is of Node's own. */
export function handleKind(prototype: object | null): HandleKind {
  if (prototype === null) return NO_HANDLE;
  let kind = recall(prototype);
  if (kind === undefined) {
    kind = findKind(prototype);
    remember(prototype, kind);
  }
  return kind;
}

function findKind(prototype: object): HandleKind {
  let link: object | null = prototype;
  for (let steps = 0; link !== null && steps < maxChain && !isProxy(link); steps++) {
    for (let index = 0; index < kinds.length; index++) {
      const entry = kinds[index];
      if (entry !== undefined && link === entry[0]) return entry[1];
    }
    link = getPrototypeOf(link);
  }
  return NO_HANDLE;
}
