import type { z } from 'zod';
import type { ErrorAnswer, ErrorCode, ErrorDetails } from './errors.ts';
import { fillPath, type Route } from './route.ts';

/** A failed API request, with the server's error. `status` is 0 if no response arrived. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  readonly code: ErrorCode | 'network_failure' | 'no_answer' | 'unreadable_answer';
  /** Advice of the server on this error code. */
  readonly remedy: string | undefined;
  readonly requestId: string | undefined;
  readonly details: ErrorDetails | undefined;
  /** Seconds after which the server allows a retry. */
  readonly retryAfterSeconds: number | undefined;

  constructor(init: {
    status: number;
    code: ApiError['code'];
    message: string;
    remedy?: string | undefined;
    requestId?: string | undefined;
    details?: ErrorDetails | undefined;
    retryAfterSeconds?: number | undefined;
    cause?: unknown;
  }) {
    super(init.message, { cause: init.cause });
    this.status = init.status;
    this.code = init.code;
    this.remedy = init.remedy;
    this.requestId = init.requestId;
    this.details = init.details;
    this.retryAfterSeconds = init.retryAfterSeconds;
  }
}

type Part<K extends string, S> = S extends z.ZodType
  ? unknown extends z.input<S>
    ? { readonly [key in K]?: never }
    : Record<never, never> extends z.input<S>
      ? { readonly [key in K]?: z.input<S> }
      : { readonly [key in K]: z.input<S> }
  : Record<never, never>;

/** Input of a request to the route of type `R`. */
export type CallInput<R> =
  R extends Route<infer P, infer Q, infer B, infer _A>
    ? Part<'params', P> & Part<'query', Q> & Part<'body', B> & { readonly signal?: AbortSignal }
    : never;

export interface ClientOptions {
  /** Base URL of the server without a trailing slash; empty for the page's own origin. */
  readonly baseUrl: string;
  readonly fetch: typeof globalThis.fetch;
  /** Returns the session token; called for each request. */
  readonly token: () => string | null;
  /** Maximum milliseconds from the request to the start of its response. Absent: no limit. */
  readonly timeoutMs?: number;
}

interface LooseInput {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
  readonly signal?: AbortSignal;
}

/**
 * Sends requests to declared routes: `call(routes.projects.create, { body: { name } })`. Throws {@link ApiError}, or the abort's error if
 * `signal` aborts the request before its response starts.
 */
export interface Client {
  call<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType, A extends z.ZodType>(
    route: Route<P, Q, B, A>,
    input: CallInput<Route<P, Q, B, A>>,
  ): Promise<z.output<A>>;
  /** Returns the raw response of a successful request, for streams and files. */
  open(route: Route, input: LooseInput): Promise<Response>;
}

export function createClient(options: ClientOptions): Client {
  const open = async (route: Route, input: LooseInput): Promise<Response> => {
    const answer = await send(options, route, input);
    if (!answer.ok) throw await readError(answer);
    return answer;
  };
  return {
    open,
    async call<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType, A extends z.ZodType>(
      route: Route<P, Q, B, A>,
      input: CallInput<Route<P, Q, B, A>>,
    ) {
      const answer = await open(route, input as LooseInput);
      try {
        // Safe cast: tests of the server validate every response against its route's schema.
        return (await answer.json()) as z.output<A>;
      } catch (cause) {
        throw new ApiError({
          status: answer.status,
          code: 'unreadable_answer',
          message: 'The server sent a response that is not JSON.',
          cause,
        });
      }
    },
  };
}

async function send(options: ClientOptions, route: Route, input: LooseInput): Promise<Response> {
  const headers: Record<string, string> = {};
  const token = options.token();
  if (token !== null) headers.authorization = `Bearer ${token}`;
  if (input.body !== undefined) headers['content-type'] = 'application/json';
  const { signal, timedOut, stop } = limitWaiting(options.timeoutMs, input.signal);
  try {
    return await options.fetch(
      options.baseUrl + fillPath(route.path, input.params ?? {}) + queryText(input.query),
      {
        method: route.method,
        headers,
        ...(input.body === undefined ? {} : { body: JSON.stringify(input.body) }),
        ...(signal === undefined ? {} : { signal }),
      },
    );
  } catch (cause) {
    if (input.signal?.aborted === true) throw cause;
    if (timedOut?.aborted === true) throw buildNoAnswerError(route, options.timeoutMs ?? 0, cause);
    throw new ApiError({
      status: 0,
      code: 'network_failure',
      message: 'The server could not be reached.',
      cause,
    });
  } finally {
    stop();
  }
}

interface Waiting {
  readonly signal: AbortSignal | undefined;
  /** Aborted when the timeout expires. */
  readonly timedOut?: AbortSignal;
  /** Stops the timeout, so that it does not limit the time in which a body is received. */
  readonly stop: () => void;
}

function limitWaiting(timeoutMs: number | undefined, signal: AbortSignal | undefined): Waiting {
  if (timeoutMs === undefined) return { signal, stop: () => undefined };
  const ending = new AbortController();
  const timer = setTimeout(() => ending.abort(), timeoutMs);
  return {
    signal: signal === undefined ? ending.signal : AbortSignal.any([signal, ending.signal]),
    timedOut: ending.signal,
    stop: () => clearTimeout(timer),
  };
}

function buildNoAnswerError(route: Route, timeoutMs: number, cause: unknown): ApiError {
  return new ApiError({
    status: 0,
    code: 'no_answer',
    message: `The server did not respond within ${timeoutMs / 1000} seconds.`,
    remedy:
      route.method === 'GET'
        ? 'Check your connection, then try again.'
        : 'Check your connection and reload the page: the change may have been made.',
    cause,
  });
}

function queryText(query: LooseInput['query']): string {
  const pairs = Object.entries(query ?? {})
    .flatMap(([key, value]) => (Array.isArray(value) ? value.map((each) => [key, each]) : [[key, value]]))
    .filter(([, value]) => value !== undefined && value !== '')
    .map(([key, value]): [string, string] => [String(key), String(value)]);
  return pairs.length === 0 ? '' : `?${new URLSearchParams(pairs)}`;
}

async function readError(answer: Response): Promise<ApiError> {
  const body = (await answer.json().catch(() => ({}))) as Partial<ErrorAnswer>;
  return new ApiError({
    status: answer.status,
    code: body.error?.code ?? 'unreadable_answer',
    message: body.error?.message ?? `The server responded with ${answer.status} without a reason.`,
    remedy: body.error?.remedy,
    requestId: body.error?.requestId ?? answer.headers.get('x-request-id') ?? undefined,
    details: body.error?.details,
    retryAfterSeconds: readSeconds(answer.headers.get('retry-after')),
  });
}

function readSeconds(header: string | null): number | undefined {
  return header !== null && /^\d{1,6}$/.test(header) ? Number(header) : undefined;
}
