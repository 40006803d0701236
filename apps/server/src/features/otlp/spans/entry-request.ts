import { MAX_CHARACTERS } from '@throughline/contract';
import type { Redactor } from '@throughline/contract/redaction';
import { KIND, type SentSpan, STATUS_ERROR } from '../decode/sent-span.ts';
import { cutSecretText } from './cut-text.ts';
import type { TakenAttributes } from './taken-attributes.ts';

/** The request and response of an entry span, as far as the span's attributes contain them. */
export interface EntryRequest {
  readonly method: string;
  readonly path: string;
  readonly route: string | undefined;
  readonly url: string | undefined;
  readonly query: { readonly [name: string]: string | readonly string[] } | undefined;
  /** Null if the attributes of an HTTP request contain no valid status code. */
  readonly statusCode: number | null;
}

/** Builds the request of an entry span. Strings longer than the SDK's format allows are cut. */
export function buildEntryRequest(span: SentSpan, taken: TakenAttributes, redactor: Redactor): EntryRequest {
  const request = readRequest(span, taken, redactor);
  const { method, path, route, url } = request;
  return {
    ...request,
    method: cutSecretText(method, MAX_CHARACTERS.method, redactor),
    path: cutSecretText(path, MAX_CHARACTERS.path, redactor),
    route: route === undefined ? undefined : cutSecretText(route, MAX_CHARACTERS.path, redactor),
    url: url === undefined ? undefined : cutSecretText(url, MAX_CHARACTERS.url, redactor),
  };
}

function readRequest(span: SentSpan, taken: TakenAttributes, redactor: Redactor): EntryRequest {
  const method = taken.text('http.request.method', 'http.method');
  if (method !== undefined) return buildHttpRequest(method, taken, redactor);
  if (taken.has('rpc.system', 'rpc.system.name')) return buildRpcRequest(span, taken);
  const destination = taken.text('messaging.destination.name', 'messaging.destination');
  return {
    method: findMethod(span),
    path: destination ?? span.name,
    route: destination === undefined ? undefined : span.name,
    url: undefined,
    query: undefined,
    // A span that is not an HTTP request has no HTTP status. Without a status, a successful request would be shown as a request without a
    // response.
    statusCode: span.status.code === STATUS_ERROR ? 500 : 200,
  };
}

function findMethod({ kind }: SentSpan): string {
  if (kind === KIND.consumer) return 'CONSUME';
  return kind === KIND.server ? 'SERVE' : 'SPAN';
}

function buildHttpRequest(method: string, taken: TakenAttributes, redactor: Redactor): EntryRequest {
  const original = taken.text('http.request.method_original');
  const full = cutAddress(taken.text('url.full', 'http.url'), redactor);
  const [target, ...search] = (cutAddress(taken.text('http.target'), redactor) ?? '').split('?');
  const inFull = full === undefined ? undefined : (URL.parse(full) ?? undefined);
  const path = taken.text('url.path') ?? (target || inFull?.pathname);
  const query =
    cutAddress(taken.text('url.query'), redactor) ?? (search.join('?') || inFull?.search.slice(1) || '');
  return {
    method: method === '_OTHER' && original !== undefined ? original : method,
    path: path ?? '/',
    route: taken.text('http.route'),
    url: full ?? composeUrl(path ?? '/', query, taken),
    query: query === '' ? undefined : parseQuery(query),
    statusCode: findStatus(taken),
  };
}

/** Cuts a URL to the maximum stored length before the URL is parsed. Redacts the URL before it is cut. */
function cutAddress(address: string | undefined, redactor: Redactor): string | undefined {
  const max = MAX_CHARACTERS.url + 1;
  return address === undefined || address.length <= max ? address : redactor.beginning(address, max);
}

function findStatus(taken: TakenAttributes): number | null {
  const status = taken.count('http.response.status_code', 'http.status_code');
  return status !== undefined && status >= 100 && status <= 999 ? status : null;
}

/** Builds a URL from its parts; undefined if there is no host. */
function composeUrl(path: string, query: string, taken: TakenAttributes): string | undefined {
  const scheme = taken.text('url.scheme', 'http.scheme');
  const host = taken.text('http.host', 'server.address', 'net.host.name');
  const port = taken.count('server.port', 'net.host.port');
  if (host === undefined) return undefined;
  const hostPort = port === undefined || /:\d+$/.test(host) ? host : `${host}:${port}`;
  return `${scheme ?? 'http'}://${hostPort}${path}${query === '' ? '' : `?${query}`}`;
}

function parseQuery(query: string): { readonly [name: string]: string | readonly string[] } {
  const parameters: { [name: string]: string | readonly string[] } = Object.create(null);
  for (const [name, values] of Map.groupBy(new URLSearchParams(query), ([parameter]) => parameter)) {
    const [first = '', ...others] = values.map(([, value]) => value);
    parameters[name] = others.length === 0 ? first : [first, ...others];
  }
  return parameters;
}

/** The HTTP status with the same meaning, by gRPC status code (google.rpc.Code). */
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

function buildRpcRequest(span: SentSpan, taken: TakenAttributes): EntryRequest {
  const system = taken.text('rpc.system', 'rpc.system.name') ?? 'rpc';
  const service = taken.text('rpc.service');
  const method = taken.text('rpc.method');
  // Since semantic conventions 1.39, the method's name starts with its service.
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
