import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import { connect } from 'node:http2';
import type { Outcome, Target } from './form.ts';

const MAX_TEXT = 4000;
/** Memory limit of the gRPC client. With Node's default, the client itself would end calls that are as large as the hostile inputs. */
const CLIENT_MEMORY_MB = 200;
const GRPC_PATH = '/opentelemetry.proto.collector.trace.v1.TraceService/Export';

type Headers = Readonly<Record<string, string | number>>;

/** Sends one HTTP request. `writeBody` writes the request body, in one piece or in delayed chunks. */
export function callOnce(
  target: Pick<Target, 'url'>,
  call: { readonly method: string; readonly path: string; readonly headers: Headers },
  writeBody: (sent: ClientRequest) => void,
  signal: AbortSignal,
): Promise<Outcome> {
  return new Promise((resolve) => {
    // Each request has a connection of its own, because a server that responds before it has read the whole body closes the connection.
    const sent = request(target.url + call.path, {
      method: call.method,
      headers: call.headers,
      agent: false,
    });
    const give = (answer: string, text = '') => {
      signal.removeEventListener('abort', abort);
      resolve({ answer, text });
    };
    const abort = () => {
      give('no answer');
      sent.destroy();
    };
    signal.addEventListener('abort', abort);
    let answered: IncomingMessage | undefined;
    sent.on('error', (error: NodeJS.ErrnoException) => {
      // Sending can fail after the response arrived, since the server then closes the connection. The response counts.
      if (answered === undefined) give(error.code ?? error.message);
    });
    sent.on('response', (answer) => {
      answered = answer;
      let text = '';
      answer.setEncoding('utf8');
      answer.on('data', (chunk: string) => {
        if (text.length < MAX_TEXT) text += chunk.slice(0, MAX_TEXT - text.length);
      });
      answer.on('close', () => {
        give(String(answer.statusCode), text);
        sent.destroy();
      });
      answer.on('error', () => undefined);
    });
    writeBody(sent);
  });
}

/** Posts a body that is already in memory. */
export function post(
  target: Pick<Target, 'url'>,
  path: string,
  headers: Headers,
  body: Buffer,
  signal: AbortSignal,
): Promise<Outcome> {
  const all = { 'content-length': body.length, ...headers };
  return callOnce(target, { method: 'POST', path, headers: all }, (sent) => sent.end(body), signal);
}

/** Builds a gRPC frame: a compression flag, the message's length and the message. */
export function grpcFrame(message: Buffer, packed: boolean, length = message.length): Buffer {
  const head = Buffer.alloc(5);
  head[0] = packed ? 1 : 0;
  head.writeUInt32BE(length >>> 0, 1);
  return Buffer.concat([head, message]);
}

/** Sends frames as one gRPC call over its own connection. */
export function callGrpc(
  target: Pick<Target, 'url' | 'grpcPort' | 'apiKey'>,
  frames: readonly Buffer[],
  encoding: 'gzip' | 'identity',
  signal: AbortSignal,
): Promise<Outcome> {
  return new Promise((resolve) => {
    const session = connect(`http://${new URL(target.url).hostname}:${target.grpcPort}`, {
      maxSessionMemory: CLIENT_MEMORY_MB,
    });
    const received: Record<string, unknown> = {};
    const give = (answer: string) => {
      signal.removeEventListener('abort', abort);
      session.destroy();
      resolve({ answer, text: String(received['grpc-message'] ?? '').slice(0, MAX_TEXT) });
    };
    const abort = () => give('no answer');
    signal.addEventListener('abort', abort);
    session.on('error', (error: NodeJS.ErrnoException) => give(error.code ?? error.message));
    const stream = session.request({
      ':method': 'POST',
      ':path': GRPC_PATH,
      'content-type': 'application/grpc',
      te: 'trailers',
      'x-api-key': target.apiKey,
      'grpc-encoding': encoding,
    });
    stream.on('response', (headers) => Object.assign(received, headers));
    stream.on('trailers', (trailers) => Object.assign(received, trailers));
    stream.on('error', () => undefined);
    stream.on('close', () => {
      const status = received['grpc-status'];
      give(status === undefined ? `closed with ${stream.rstCode}` : `grpc ${String(status)}`);
    });
    stream.resume();
    for (const frame of frames) stream.write(frame);
    stream.end();
  });
}
