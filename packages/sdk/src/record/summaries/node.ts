import { EventEmitter } from 'node:events';
import { Agent, IncomingMessage, OutgoingMessage } from 'node:http';
import { Server } from 'node:net';
import { Stream } from 'node:stream';
import type { Summary } from './summary.ts';

/**
 * Node's streams, servers and messages (which include Express's `req` and `res`) reference objects of the whole process. If they were
 * captured like other objects, each handler's `req` and `res` would fill the request's budget with sockets and parsers.
 */
export const nodeSummaries: readonly Summary[] = [
  {
    is: IncomingMessage.prototype,
    // On the response to an outgoing request, `statusCode` is a number. On an incoming request it is null, and is not shown.
    shows: ['statusCode'],
    but: `socket httpVersionMajor httpVersionMinor httpVersion complete rawHeaders rawTrailers joinDuplicateHeaders aborted upgrade statusMessage
      client next res app route baseUrl originalUrl log raw`,
    hidesPrivate: true,
  },
  {
    is: OutgoingMessage.prototype,
    shows: ['statusCode'],
    but: `outputData outputSize writable destroyed chunkedEncoding shouldKeepAlive finished maxRequestsOnConnectionReached useChunkedEncodingByDefault
      sendDate strictContentLength socket req app agent parser res log`,
    hidesPrivate: true,
  },
  { is: Stream.prototype },
  { is: Server.prototype },
  { is: Agent.prototype },
  { named: 'Timeout', has: ['refresh', 'hasRef'], shows: ['delayMs: _idleTimeout', 'everyMs: _repeat'] },
  { named: 'Immediate', has: ['hasRef'] },
  { is: EventEmitter.prototype, but: 'domain _events _eventsCount _maxListeners' },
];
