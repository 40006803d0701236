import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import { AppError } from '../../../platform/http/errors.ts';
import { FRAME_HEAD_BYTES, readFrameHead } from '../decode/grpc-frame.ts';

/** Supported message compressions. */
export const ENCODINGS: readonly string[] = ['identity', 'gzip', 'zstd'];

/** Adapts the single message of a gRPC call, so that code for HTTP bodies can read it. */
export class GrpcMessage {
  readonly headers: IncomingHttpHeaders;
  readonly #bytes: number;
  readonly #first: Buffer;
  readonly #rest: AsyncIterator<unknown>;

  private constructor(
    headers: IncomingHttpHeaders,
    bytes: number,
    first: Buffer,
    rest: AsyncIterator<unknown>,
  ) {
    this.headers = headers;
    this.#bytes = bytes;
    this.#first = first;
    this.#rest = rest;
  }

  /**
   * Reads the prefix of the message, and only the chunks that contain it.
   * @throws AppError `invalid_json` if the message is cut off, `invalid_encoding`
   */
  static async begin(
    stream: Readable,
    sent: { readonly contentType: string; readonly encoding: string },
  ): Promise<GrpcMessage> {
    const rest: AsyncIterator<unknown> = stream.iterator({ destroyOnReturn: false });
    let arrived: Buffer = Buffer.from('');
    while (arrived.length < FRAME_HEAD_BYTES) {
      const chunk = await nextChunk(rest);
      if (chunk === undefined) throw cutOff();
      arrived = Buffer.concat([arrived, chunk]);
    }
    const { flag, messageBytes, rest: first } = readFrameHead(arrived);
    if (flag !== 0 && (flag !== 1 || sent.encoding === 'identity')) throw new AppError('invalid_encoding');
    const headers = {
      'content-type': sent.contentType,
      'content-encoding': flag === 1 ? sent.encoding : 'identity',
      'content-length': String(messageBytes),
    };
    return new GrpcMessage(headers, messageBytes, first, rest);
  }

  /**
   * Yields the message's bytes as they arrive. @throws AppError `invalid_json` if fewer or more bytes arrive than the message's prefix
   * announced
   */
  async *iterator(): AsyncGenerator<Buffer> {
    let left = this.#bytes;
    for (
      let chunk: Buffer | undefined = this.#first;
      chunk !== undefined;
      chunk = await nextChunk(this.#rest)
    ) {
      if (chunk.length > left) throw new AppError('invalid_json', 'The call has more than one message.');
      left -= chunk.length;
      if (chunk.length > 0) yield chunk;
    }
    if (left > 0) throw cutOff();
  }
}

/** @throws AppError `invalid_json` if the connection broke or the call was cancelled */
async function nextChunk(chunks: AsyncIterator<unknown>): Promise<Buffer | undefined> {
  const next = await chunks.next().catch((cause: unknown) => {
    throw cutOff(cause);
  });
  if (next.done) return undefined;
  if (!Buffer.isBuffer(next.value)) throw new TypeError('the message consists of strings instead of bytes');
  return next.value;
}

function cutOff(cause?: unknown): AppError {
  return new AppError('invalid_json', 'The message is incomplete.', { cause });
}
