import type { StepType } from '@throughline/contract';
import { type Attributes, KIND, type SentSpan } from '../decode/sent-span.ts';
import type { TakenAttributes } from './taken-attributes.ts';

/** The step type of a span, and the span's captured inputs and outputs as far as the conventions define them. */
export interface StepFields {
  readonly type: StepType;
  /** The attributes `inputs` and `outputs`, as far as they are known; undefined if neither of them is known. */
  readonly captured: Attributes | undefined;
}

const CACHES = new Set(['redis', 'memcached', 'valkey', 'hazelcast', 'infinispan']);

export function stepFields(span: SentSpan, taken: TakenAttributes): StepFields {
  if (taken.has('db.system.name', 'db.system')) return buildDatabaseFields(taken);
  if (taken.has('messaging.system', 'messaging.operation.type', 'messaging.operation'))
    return { type: 'queue', captured: undefined };
  if (taken.has('rpc.system', 'rpc.system.name')) return buildRpcFields(taken);
  if (taken.has('http.request.method', 'http.method')) return buildHttpFields(taken);
  const layer = taken.text('express.type', 'koa.type', 'fastify.type', 'connect.type');
  if (layer === 'middleware') return { type: 'middleware', captured: undefined };
  if (layer === 'request_handler' || layer === 'router') return { type: 'handler', captured: undefined };
  if (taken.has('code.function.name', 'code.function')) return { type: 'function', captured: undefined };
  if (span.kind === KIND.producer || span.kind === KIND.consumer)
    return { type: 'queue', captured: undefined };
  return { type: 'custom', captured: undefined };
}

function buildDatabaseFields(taken: TakenAttributes): StepFields {
  const system = taken.seenText('db.system.name', 'db.system') ?? '';
  const query = taken.text('db.query.text', 'db.statement');
  const parameters = taken.below('db.query.parameter.');
  const rows = taken.count('db.response.returned_rows');
  return {
    type: CACHES.has(system) ? 'cache' : 'database',
    captured: buildCaptured({ query, parameters, system }, { rows }),
  };
}

function buildRpcFields(taken: TakenAttributes): StepFields {
  const system = taken.text('rpc.system', 'rpc.system.name');
  const service = taken.text('rpc.service');
  const method = taken.text('rpc.method');
  const status = taken.value('rpc.grpc.status_code', 'rpc.response.status_code');
  return { type: 'http', captured: buildCaptured({ system, service, method }, { status }) };
}

function buildHttpFields(taken: TakenAttributes): StepFields {
  const method = taken.text('http.request.method', 'http.method');
  const url = taken.text('url.full', 'http.url');
  const headers = taken.below('http.request.header.');
  const statusCode = taken.count('http.response.status_code', 'http.status_code');
  const answered = taken.below('http.response.header.');
  return {
    type: 'http',
    captured: buildCaptured({ method, url, headers }, { statusCode, headers: answered }),
  };
}

type Fields = { readonly [name: string]: Attributes[string] | undefined };

function buildCaptured(inputs: Fields, outputs: Fields): Attributes | undefined {
  const given = selectPresent(inputs);
  const returned = selectPresent(outputs);
  if (given === undefined) return returned && { outputs: returned };
  return returned === undefined ? { inputs: given } : { inputs: given, outputs: returned };
}

function selectPresent(fields: Fields): Attributes | undefined {
  let found: Attributes | undefined;
  for (const [name, value] of Object.entries(fields)) {
    if (value === undefined) continue;
    found ??= {};
    found[name] = value;
  }
  return found;
}
