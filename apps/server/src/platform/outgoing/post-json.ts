import { lookup } from 'node:dns';
import { type ClientRequest, type IncomingMessage, type RequestOptions, request } from 'node:http';
import { request as requestSecurely } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { isPublicAddress } from './public-address.ts';

/** Time for the whole call: to connect, to send and to get a status. */
const CALL_MS = 10_000;
/** The socket is closed once an answer's body is longer. The body is not kept. */
const MAX_ANSWER_BYTES = 64 * 1024;

/** A message did not arrive. The person who gave the address reads the text, which has nothing of the answer's body. */
export class PostFailed extends Error {
  override readonly name = 'PostFailed';
}

export interface Post {
  readonly url: string;
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
  /** True where addresses of the server's own network are allowed. */
  readonly allowPrivate: boolean;
}

/**
 * Posts JSON to an address that a user gave, and follows no redirect. The check is on the address that is connected to, so a name
 * that leads elsewhere a moment later does not get around it.
 * @throws PostFailed
 */
export async function postJson({ url, body, headers, allowPrivate }: Post): Promise<void> {
  const target = new URL(url);
  const host = target.hostname.replace(/^\[|\]$/g, '');
  if (isIP(host) !== 0 && !allowPrivate && !isPublicAddress(host)) throw refuseAddress();
  const options: RequestOptions = {
    method: 'POST',
    agent: false,
    lookup: allowPrivate ? undefined : lookUpPublic,
    signal: AbortSignal.timeout(CALL_MS),
    headers: {
      ...headers,
      'content-type': 'application/json; charset=utf-8',
      'content-length': Buffer.byteLength(body),
      'user-agent': 'Throughline',
    },
  };
  const send = target.protocol === 'https:' ? requestSecurely : request;
  const status = await awaitStatus(send(target, options), body);
  if (status >= 300 && status < 400) {
    throw new PostFailed(`The address answered with a redirect (HTTP ${status}), which is not followed`);
  }
  if (status < 200 || status >= 300) throw new PostFailed(`The address answered HTTP ${status}`);
}

function awaitStatus(call: ClientRequest, body: string): Promise<number> {
  return new Promise((resolve, reject) => {
    // Stays after the answer, for an error that comes with the rest of it.
    call.on('error', (error) => reject(describe(error)));
    call.on('response', (answer) => {
      dropBody(answer);
      resolve(answer.statusCode ?? 0);
    });
    call.end(body);
  });
}

function dropBody(answer: IncomingMessage): void {
  let bytes = 0;
  answer.on('error', () => {});
  answer.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > MAX_ANSWER_BYTES) answer.destroy();
  });
}

const lookUpPublic: LookupFunction = (name, options, answer) => {
  lookup(name, { ...options, all: true }, (error, addresses) => {
    if (error !== null) return answer(error, '', 0);
    // One closed address among open ones is as good as none: the system may choose it.
    const [first] = addresses;
    if (first === undefined || addresses.some(({ address }) => !isPublicAddress(address))) {
      return answer(refuseAddress(), '', 0);
    }
    return options.all === true ? answer(null, addresses) : answer(null, first.address, first.family);
  });
};

function refuseAddress(): PostFailed {
  return new PostFailed('The address is of a private network, which this server does not allow');
}

const WORDS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'The connection was refused',
  ECONNRESET: 'The connection was cut off before an answer came',
  EPIPE: 'The connection was cut off before an answer came',
  ENOTFOUND: 'The name of the host is unknown',
  EAI_AGAIN: 'The name of the host could not be looked up',
  EHOSTUNREACH: 'The host cannot be reached',
  ENETUNREACH: 'The host cannot be reached',
  ETIMEDOUT: `No answer came within ${CALL_MS / 1000} seconds`,
  ABORT_ERR: `No answer came within ${CALL_MS / 1000} seconds`,
};

function describe(error: Error): PostFailed {
  if (error instanceof PostFailed) return error;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : error.name;
  return new PostFailed(WORDS[code] ?? `The connection failed (${code})`, { cause: error });
}
