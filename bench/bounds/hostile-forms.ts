import type { HostileForm } from './form.ts';
import { API } from './forms/api.ts';
import { CONNECTIONS, LIVE } from './forms/connections.ts';
import { LARGE_READS } from './forms/large-reads.ts';
import { LOGIN } from './forms/login.ts';
import { NATIVE_ADMITTED } from './forms/native-admitted.ts';
import { NATIVE_STRUCTURE } from './forms/native-structure.ts';
import { NATIVE_VALUES } from './forms/native-values.ts';
import { NDJSON } from './forms/ndjson.ts';
import { OTLP_JSON } from './forms/otlp-json.ts';
import { OTLP_GRPC, OTLP_PROTOBUF } from './forms/otlp-protobuf.ts';
import { PACKING } from './forms/packing.ts';
import { SPANS_OVER_REQUESTS } from './forms/spans-over-requests.ts';

/** The hostile inputs of all input paths. */
export const HOSTILE_FORMS: readonly HostileForm[] = [
  ...NATIVE_STRUCTURE,
  ...NATIVE_VALUES,
  ...NATIVE_ADMITTED,
  ...PACKING,
  ...NDJSON,
  ...OTLP_JSON,
  ...OTLP_PROTOBUF,
  ...OTLP_GRPC,
  ...SPANS_OVER_REQUESTS,
  ...LOGIN,
  ...API,
  ...LARGE_READS,
  ...LIVE,
  ...CONNECTIONS,
];
