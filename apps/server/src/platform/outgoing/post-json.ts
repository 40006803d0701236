import { lookup } from 'node:dns';
import { type ClientRequest, type IncomingMessage, type RequestOptions, request } from 'node:http';
import { request as requestSecurely } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { isPublicAddress } from './public-address.ts';

/** Timeout of the whole request: connecting, sending, and receiving a status. */
const CALL_MS = 10_000;
/** The socket is closed if the response body is longer. The body is not stored. */
const MAX_ANSWER_BYTES = 64 * 1024;

/**
 * A message could not be delivered. The person who entered the URL sees this error's message, which contains nothing from the response
 * body.
 */
export class PostFailed extends Error {
  override readonly name = 'PostFailed';
}

export interface Post {
  readonly url: string;
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
  /** True if addresses in the server's private network are allowed. */
  readonly allowPrivate: boolean;
}

/**
 * Posts JSON to a URL that a user entered, without following redirects. Checks the address of the actual
 * connection, so a host name that later resolves to another address cannot bypass the check.
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
    throw new PostFailed(`The server responded with a redirect (HTTP ${status}), which is not followed`);
  }
  if (status < 200 || status >= 300) throw new PostFailed(`The server responded with HTTP ${status}`);
}

function awaitStatus(call: ClientRequest, body: string): Promise<number> {
  return new Promise((resolve, reject) => {
    // This listener is still needed after the response has begun, for errors while its body is received.
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
    // Rejects the whole list if one address is private, because the system may choose that address.
    const [first] = addresses;
    if (first === undefined || addresses.some(({ address }) => !isPublicAddress(address))) {
      return answer(refuseAddress(), '', 0);
    }
    return options.all === true ? answer(null, addresses) : answer(null, first.address, first.family);
  });
};

function refuseAddress(): PostFailed {
  return new PostFailed('The URL leads to a private network, which this server does not allow');
}

const WORDS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'The connection was refused',
  ECONNRESET: 'The connection was closed before a response',
  EPIPE: 'The connection was closed before a response',
  ENOTFOUND: 'The host name is unknown',
  EAI_AGAIN: 'The host name could not be resolved',
  EHOSTUNREACH: 'The host cannot be reached',
  ENETUNREACH: 'The host cannot be reached',
  ETIMEDOUT: `No response within ${CALL_MS / 1000} seconds`,
  ABORT_ERR: `No response within ${CALL_MS / 1000} seconds`,
};

function describe(error: Error): PostFailed {
  if (error instanceof PostFailed) return error;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : error.name;
  return new PostFailed(WORDS[code] ?? `The connection failed (${code})`, { cause: error });
}
