import { once } from 'node:events';
import {
  constants,
  createServer,
  type IncomingHttpHeaders,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from 'node:http2';
import type { AddressInfo } from 'node:net';
import { AppError, toAppError } from '../../../platform/http/errors.ts';
import type { Logger } from '../../../platform/log.ts';
import type { Ingest } from '../../ingest/index.ts';
import { frameMessage } from '../decode/grpc-frame.ts';
import { encodeResponseProtobuf, encodeStatusProtobuf, formatError, toRpcCode } from '../http/answers.ts';
import { PROTOBUF } from '../spans/admit-spans.ts';
import { intake } from '../spans/otlp-intake.ts';
import { ENCODINGS, GrpcMessage } from './grpc-message.ts';

const EXPORT = '/opentelemetry.proto.collector.trace.v1.TraceService/Export';
const OK = 0;
/** gRPC's status code for an unknown message compression (grpc.io, "Compression"). */
const UNIMPLEMENTED = 12;

/** Maximum number of concurrent calls per connection. A sender's export queue needs only a few. */
const MAX_STREAMS = 100;
/**
 * Maximum number of bytes of a call that a sender can send before the server has read them. With HTTP/2's default of 64 kB, large batches
 * wait for round trips.
 */
const WINDOW_BYTES = 1024 * 1024;
/** Maximum size of a call's headers, in bytes: the same limit as for the URL and headers of an HTTP/1 request. */
const MAX_HEADER_BYTES = 16 * 1024;
const MAX_HEADERS = 100;
/** A call is ended if no bytes of its request arrive for this time. */
const IDLE_MS = 30_000;
/** A connection without calls is closed after this time. The sender opens another connection when needed. */
const IDLE_CONNECTION_MS = 300_000;
/** Maximum duration of a call: the same limit as Node's for an HTTP/1 request. */
const CALL_MS = 300_000;
/** Calls that are still running this long after the server began to stop are ended. */
const DRAIN_MS = 10_000;

export interface GrpcServer {
  readonly port: number;
  /** Refuses new calls, lets running calls finish, and closes. */
  close(): Promise<void>;
}

export interface GrpcServerDeps {
  readonly port: number;
  readonly host: string;
  readonly ingest: Pick<Ingest, 'projectOf' | 'take' | 'refused'>;
  readonly log: Logger;
}

/**
 * Opens a server for OTLP over gRPC without TLS. It implements only the export of traces, as specified in grpc.io's "gRPC over HTTP2". Uses
 * Node's HTTP/2 instead of a gRPC library, because such libraries read and unpack a whole message before its size can be checked.
 * @throws errors of listening
 */
export async function openGrpcServer(deps: GrpcServerDeps): Promise<GrpcServer> {
  const { log } = deps;
  const server = createServer({
    settings: {
      maxConcurrentStreams: MAX_STREAMS,
      maxHeaderListSize: MAX_HEADER_BYTES,
      initialWindowSize: WINDOW_BYTES,
      enablePush: false,
    },
    maxHeaderListPairs: MAX_HEADERS,
  });
  const sessions = new Set<ServerHttp2Session>();
  server.on('session', (session) => {
    sessions.add(session);
    session.setLocalWindowSize(WINDOW_BYTES);
    session.setTimeout(IDLE_CONNECTION_MS, () => session.close());
    session.once('close', () => sessions.delete(session));
    // A broken connection ends its calls, which report their own errors.
    session.on('error', (err) => log.debug({ err }, 'a gRPC connection failed'));
  });
  server.on('stream', (stream, headers) => {
    stream.on('error', (err) => log.debug({ err }, 'the stream of a gRPC call failed'));
    stream.setTimeout(IDLE_MS, () => stream.close(constants.NGHTTP2_CANCEL));
    const late = setTimeout(() => stream.close(constants.NGHTTP2_CANCEL), CALL_MS);
    stream.once('end', () => stream.setTimeout(0));
    stream.once('close', () => clearTimeout(late));
    answer(stream, headers, deps).catch((err: unknown) => {
      log.error({ err }, 'no response to a gRPC call could be sent');
      stream.close(constants.NGHTTP2_INTERNAL_ERROR);
    });
  });
  server.listen(deps.port, deps.host);
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      const closed = once(server, 'close');
      server.close();
      for (const session of sessions) session.close();
      const cutOff = setTimeout(() => {
        for (const session of sessions) session.destroy();
      }, DRAIN_MS);
      await closed;
      clearTimeout(cutOff);
    },
  };
}

async function answer(
  stream: ServerHttp2Stream,
  headers: IncomingHttpHeaders,
  deps: GrpcServerDeps,
): Promise<void> {
  const contentType = headers['content-type'] ?? '';
  if (!/^application\/grpc($|[+;])/i.test(contentType)) {
    stream.respond({ ':status': 415, 'content-type': 'text/plain' });
    stream.end('This port is for OTLP over gRPC.\n');
    return;
  }
  let bytes: Buffer;
  try {
    bytes = await handleExport(stream, headers, deps);
  } catch (thrown) {
    if (headers[':path'] === EXPORT) deps.ingest.refused(thrown);
    refuse(stream, thrown, deps.log);
    return;
  }
  // If the sender has disconnected, it sends the batch again; the spans are then recognized as stored.
  if (stream.destroyed || stream.closed) return;
  stream.respond({ ':status': 200, 'content-type': 'application/grpc+proto' }, { waitForTrailers: true });
  stream.once('wantTrailers', () => stream.sendTrailers({ 'grpc-status': String(OK) }));
  stream.end(frameMessage(bytes));
}

/** Handles the call and returns the response. @throws AppError */
async function handleExport(
  stream: ServerHttp2Stream,
  headers: IncomingHttpHeaders,
  deps: GrpcServerDeps,
): Promise<Buffer> {
  if (headers[':path'] !== EXPORT) {
    throw new AppError('not_found', `Only traces are accepted here, at ${EXPORT}.`);
  }
  const encoding = headers['grpc-encoding'] ?? 'identity';
  if (typeof encoding !== 'string' || !ENCODINGS.includes(encoding)) {
    throw new AppError('unsupported_media_type', `The grpc-encoding must be one of ${ENCODINGS.join(', ')}.`);
  }
  const project = await deps.ingest.projectOf(headers);
  const begin = () => GrpcMessage.begin(stream, { contentType: PROTOBUF, encoding });
  return encodeResponseProtobuf(await deps.ingest.take(begin, project, intake));
}

/**
 * Responds with an error: the error's code, its message, and both as google.rpc.Status, which can contain the time after which to retry.
 */
function refuse(stream: ServerHttp2Stream, thrown: unknown, log: Logger): void {
  if (stream.destroyed || stream.closed) return;
  const status = toGrpcStatus(thrown, log);
  stream.respond(
    {
      ':status': 200,
      'content-type': 'application/grpc+proto',
      'grpc-accept-encoding': ENCODINGS.join(','),
      ...status,
    },
    { endStream: true },
  );
  // The rest of the request is not read. The response is valid without it (RFC 9113, 8.1).
  if (!stream.readableEnded) stream.close(constants.NGHTTP2_NO_ERROR);
}

function toGrpcStatus(thrown: unknown, log: Logger): Readonly<Record<string, string>> {
  const error = toAppError(thrown);
  if (error.code === 'internal') log.error({ err: thrown }, 'a gRPC call failed');
  return {
    'grpc-status': String(error.code === 'unsupported_media_type' ? UNIMPLEMENTED : toRpcCode(error)),
    'grpc-message': percentEncode(formatError(error)),
    'grpc-status-details-bin': encodeStatusProtobuf(error).toString('base64'),
  };
}

/** Encodes a string for `grpc-message`: printable ASCII except `%` stays, everything else becomes percent-encoded UTF-8. */
function percentEncode(text: string): string {
  return text.toWellFormed().replace(/[^ -$&-~]+/g, (part) => encodeURIComponent(part));
}
