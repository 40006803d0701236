import type { ClientRequest, IncomingMessage } from 'node:http';
import type { CompressedBody } from './compress.ts';
import type { Answer } from './outcome.ts';

export type PostHeaders = { readonly [name: string]: string };

/** Posts one body, compressed. `done` is called once; if the connection fails, with a response whose status is 0. */
export type Post = (headers: PostHeaders, json: Uint8Array, done: (answer: Answer) => void) => void;

/** The functions of Node that a poster uses. They belong to the thread in which the poster runs. */
export interface PosterParts {
  open(headers: PostHeaders): ClientRequest;
  /** `gzipOnly`: use gzip, which every receiver supports. */
  compress(
    json: Uint8Array,
    gzipOnly: boolean,
    done: (compressed: CompressedBody | undefined, error?: unknown) => void,
  ): void;
  setTimeout(fn: () => void, ms: number): NodeJS.Timeout;
  clearTimeout(timer: NodeJS.Timeout | undefined): void;
}

/**
 * Makes the function that posts bodies. Uses only its parameter and the language, because `PostThread` also runs the source code of this
 * function in another thread.
 */
export function makePoster(parts: PosterParts): Post {
  /** Maximum time of a request, in ms. A server that takes longer counts as unreachable. */
  const TIMEOUT_MS = 15_000;
  /** Maximum number of bytes that are read of a response. The server's responses are shorter. */
  const ANSWER_BYTES = 256 * 1024;
  const UNSUPPORTED_ENCODING = 415;
  /** True once a response has shown that the server, or a proxy before it, supports only gzip. */
  let gzipOnly = false;

  return (headers, json, done) => {
    const compressAndSend = (finish: (answer: Answer, compressed?: CompressedBody) => void): void => {
      parts.compress(json, gzipOnly, (compressed, error) => {
        if (compressed === undefined) finish(failed(error));
        else exchange(headers, compressed, (answer) => finish(answer, compressed));
      });
    };
    compressAndSend((answer, compressed) => {
      if (answer.status !== UNSUPPORTED_ENCODING || compressed?.encoding === 'gzip') {
        done(answer);
        return;
      }
      gzipOnly = true;
      compressAndSend(done);
    });
  };

  function exchange(
    headers: PostHeaders,
    { body, encoding }: CompressedBody,
    done: (answer: Answer) => void,
  ): void {
    let timer: NodeJS.Timeout | undefined;
    let isDone = false;
    const finish = (answer: Answer): void => {
      if (isDone) return;
      isDone = true;
      parts.clearTimeout(timer);
      done(answer);
    };
    try {
      const packedHeaders = { 'content-encoding': encoding, 'content-length': `${body.length}` };
      const request = parts.open({ ...headers, ...packedHeaders });
      timer = parts.setTimeout(() => request.destroy(new Error('no response in time')), TIMEOUT_MS).unref();
      request.on('socket', (socket) => socket.unref());
      request.on('error', (error) => finish(failed(error)));
      request.on('close', () => finish(failed(new Error('connection closed'))));
      request.on('response', (response) => readAnswer(response, finish));
      request.end(body);
    } catch (error) {
      finish(failed(error));
    }
  }

  function readAnswer(response: IncomingMessage, finish: (answer: Answer) => void): void {
    let body = '';
    response.setEncoding('utf8');
    response.on('data', (chunk: string) => {
      body += chunk;
      if (body.length > ANSWER_BYTES) response.destroy(new Error('the response is too long'));
    });
    response.on('error', (error) => finish(failed(error)));
    response.on('end', () =>
      finish({ status: response.statusCode ?? 0, retryAfter: response.headers['retry-after'], body }),
    );
  }

  function failed(error: unknown): Answer {
    const code: unknown = error instanceof Error && 'code' in error ? error.code : undefined;
    const failure = typeof code === 'string' ? code : error instanceof Error ? error.message : 'failed';
    return { status: 0, retryAfter: undefined, body: '', failure };
  }
}
