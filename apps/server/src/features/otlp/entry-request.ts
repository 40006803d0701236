import { KIND, type SentSpan, STATUS_ERROR } from './sent-span.ts';
import type { TakenAttributes } from './taken-attributes.ts';

/** What came in and what was answered, as far as a span's conventions say. */
export interface EntryRequest {
  readonly method: string;
  readonly path: string;
  readonly route: string | undefined;
  readonly url: string | undefined;
  readonly query: { readonly [name: string]: string | readonly string[] } | undefined;
  /** Null where the request got no answer. */
  readonly statusCode: number | null;
}

export function entryRequest(span: SentSpan, taken: TakenAttributes): EntryRequest {
  const method = taken.text('http.request.method', 'http.method');
  if (method !== undefined) return httpRequest(method, taken);
  if (taken.has('rpc.system', 'rpc.system.name')) return rpcRequest(span, taken);
  const destination = taken.text('messaging.destination.name', 'messaging.destination');
  return {
    method: methodOf(span),
    path: destination ?? span.name,
    route: destination === undefined ? undefined : span.name,
    url: undefined,
    query: undefined,
    // It has no status; one that went well must not be shown as a request without an answer.
    statusCode: span.status.code === STATUS_ERROR ? 500 : 200,
  };
}

function methodOf({ kind }: SentSpan): string {
  if (kind === KIND.consumer) return 'CONSUME';
  return kind === KIND.server ? 'SERVE' : 'SPAN';
}

function httpRequest(method: string, taken: TakenAttributes): EntryRequest {
  const original = taken.text('http.request.method_original');
  const full = taken.text('url.full', 'http.url');
  const [target, ...search] = (taken.text('http.target') ?? '').split('?');
  const inFull = full === undefined || !URL.canParse(full) ? undefined : new URL(full);
  const path = taken.text('url.path') ?? (target || inFull?.pathname);
  const query = taken.text('url.query') ?? (search.join('?') || inFull?.search.slice(1) || '');
  return {
    method: method === '_OTHER' && original !== undefined ? original : method,
    path: path ?? '/',
    route: taken.text('http.route'),
    url: full ?? composedUrl(path ?? '/', query, taken),
    query: query === '' ? undefined : parametersOf(query),
    statusCode: statusOf(taken),
  };
}

function statusOf(taken: TakenAttributes): number | null {
  const status = taken.count('http.response.status_code', 'http.status_code');
  return status !== undefined && status >= 100 && status <= 999 ? status : null;
}

/** From its parts, where they are there. */
function composedUrl(path: string, query: string, taken: TakenAttributes): string | undefined {
  const scheme = taken.text('url.scheme', 'http.scheme');
  const host = taken.text('http.host', 'server.address', 'net.host.name');
  const port = taken.count('server.port', 'net.host.port');
  if (host === undefined) return undefined;
  const hostPort = port === undefined || /:\d+$/.test(host) ? host : `${host}:${port}`;
  return `${scheme ?? 'http'}://${hostPort}${path}${query === '' ? '' : `?${query}`}`;
}

function parametersOf(query: string): { readonly [name: string]: string | readonly string[] } {
  const parameters: { [name: string]: string | readonly string[] } = Object.create(null);
  const search = new URLSearchParams(query);
  for (const name of new Set(search.keys())) {
    const values = search.getAll(name);
    parameters[name] = values.length === 1 ? (values[0] ?? '') : values;
  }
  return parameters;
}

/** gRPC's codes as the HTTP statuses that mean the same (google.rpc.Code). */
const GRPC_STATUSES = [200, 499, 500, 400, 504, 404, 409, 403, 429, 400, 409, 400, 501, 500, 503, 500, 401];
const GRPC_NAMES = [
  'OK',
  'CANCELLED',
  'UNKNOWN',
  'INVALID_ARGUMENT',
  'DEADLINE_EXCEEDED',
  'NOT_FOUND',
  'ALREADY_EXISTS',
  'PERMISSION_DENIED',
  'RESOURCE_EXHAUSTED',
  'FAILED_PRECONDITION',
  'ABORTED',
  'OUT_OF_RANGE',
  'UNIMPLEMENTED',
  'INTERNAL',
  'UNAVAILABLE',
  'DATA_LOSS',
  'UNAUTHENTICATED',
];

function rpcRequest(span: SentSpan, taken: TakenAttributes): EntryRequest {
  const system = taken.text('rpc.system', 'rpc.system.name') ?? 'rpc';
  const service = taken.text('rpc.service');
  const method = taken.text('rpc.method');
  // Since 1.39 the method's name has its service in front.
  const called = [service, method].filter((part) => part !== undefined).join('/');
  const code = taken.text('rpc.grpc.status_code', 'rpc.response.status_code');
  const failed = span.status.code === STATUS_ERROR ? 500 : 200;
  const place = code === undefined ? -1 : /^\d+$/.test(code) ? Number(code) : GRPC_NAMES.indexOf(code);
  return {
    method: system.toUpperCase(),
    path: called === '' ? span.name : `/${called}`,
    route: undefined,
    url: undefined,
    query: undefined,
    statusCode: GRPC_STATUSES[place] ?? failed,
  };
}
