import { z } from 'zod';
import { REJECTIONS } from '../http/errors.ts';
import { defineRoute } from '../http/route.ts';
import { Instant } from '../instants/instants.ts';
import { INGEST_LIMITS } from '../limits/ingest-limits.ts';
import { showLimit } from '../limits/request-limits.ts';
import { TraceSources } from './sources.ts';

export const STEP_TYPES = [
  'middleware',
  'handler',
  'function',
  'database',
  'http',
  'cache',
  'queue',
  'log',
  'custom',
] as const;
/** How much of a request a service records: functions with their values, only the functions, or nothing. */
export const CAPTURE_MODES = ['all', 'structure', 'off'] as const;
export const CaptureMode = z.enum(CAPTURE_MODES);
export type CaptureMode = z.infer<typeof CaptureMode>;

export const StepType = z.enum(STEP_TYPES);
export type StepType = z.infer<typeof StepType>;

/**
 * Maximum length, in characters, of the strings that lists and filters show. A trace or step in Throughline's format is rejected if a string
 * is longer; strings of OpenTelemetry spans are truncated.
 */
export const MAX_CHARACTERS = {
  stepId: 128,
  name: 10_000,
  filePath: 4000,
  method: 64,
  path: 8192,
  url: 65_536,
  ip: 255,
  userAgent: 4096,
  sessionId: 512,
  errorMessage: 65_536,
  errorCode: 1024,
  userId: 1024,
  service: 255,
} as const;

export const MAX_MILLISECONDS = 3.2e10;
export const MAX_LINE_NUMBER = 4_294_967_295;

/** A captured value: JSON with the tagged forms of values.ts. It is passed through without interpretation. */
const Value = z.unknown();
const text = (max: number) => z.string().max(max, `must be at most ${max} characters long`);
const hex = (digits: number) =>
  z
    .string()
    .regex(new RegExp(`^[0-9a-fA-F]{${digits}}$`), `must be ${digits} hexadecimal digits`)
    .transform((id) => id.toLowerCase());
/** Milliseconds with µs precision. */
const Milliseconds = z
  .number()
  .min(0, 'must not be negative')
  .max(MAX_MILLISECONDS, 'must be less than a year');
const Headers = z.record(z.string(), Value);

export const StepError = z.looseObject({
  message: z.string(),
  name: z.string().optional(),
  stack: z.string().optional(),
  code: z.union([z.string(), z.number()]).optional(),
});

/**
 * Totals of the calls that one step represents. The step's `duration` is the sum of the calls' durations. If calls overlapped, this sum can
 * exceed the time between start and end.
 */
export const Repeat = z.object({
  count: z.int().min(1, 'must be at least 1'),
  minMs: Milliseconds,
  sumMs: Milliseconds,
  maxMs: Milliseconds,
  /** Number of failed calls, not counting failed calls that are stored as separate steps. */
  errors: z.int().min(0, 'must not be negative').optional(),
});
export type Repeat = z.infer<typeof Repeat>;

export const IngestStep = z.object({
  stepId: text(MAX_CHARACTERS.stepId).min(1, 'must not be empty'),
  parentStepId: text(MAX_CHARACTERS.stepId).nullish(),
  sequence: z.int().min(0).optional(),
  stepName: text(MAX_CHARACTERS.name),
  stepType: StepType.default('custom'),
  startTime: Instant,
  endTime: Instant.optional(),
  duration: Milliseconds,
  repeat: Repeat.nullish(),
  functionName: text(MAX_CHARACTERS.name).nullish(),
  filePath: text(MAX_CHARACTERS.filePath).nullish(),
  lineNumber: z.int().min(0).max(MAX_LINE_NUMBER).nullish(),
  inputs: Value.optional(),
  outputs: Value.optional(),
  variables: z.record(z.string(), Value, 'must be an object').nullish(),
  error: StepError.nullish(),
  metadata: Value.optional(),
});

export const IngestTrace = z.object({
  _id: z.uuidv7('must be a UUIDv7').optional(),
  traceId: hex(32).optional(),
  spanId: hex(16).nullish(),
  parentSpanId: hex(16).nullish(),
  request: z.object({
    method: text(MAX_CHARACTERS.method).min(1, 'must not be empty'),
    path: text(MAX_CHARACTERS.path),
    route: text(MAX_CHARACTERS.path).nullish(),
    url: text(MAX_CHARACTERS.url).nullish(),
    headers: Headers.optional(),
    query: Value.optional(),
    body: Value.optional(),
    ip: text(MAX_CHARACTERS.ip).nullish(),
    userAgent: text(MAX_CHARACTERS.userAgent).nullish(),
  }),
  response: z
    .object({
      statusCode: z.int().min(100).max(999).nullish(),
      headers: Headers.optional(),
      body: Value.optional(),
    })
    .nullish(),
  timing: z.object({ startTime: Instant, duration: Milliseconds }),
  performance: z
    .object({
      memoryUsage: z.object({ heapUsed: z.number().min(0) }).nullish(),
      /** Percent of one CPU core. */
      cpuUsage: z.number().min(0).nullish(),
      /** Milliseconds. */
      eventLoopDelay: z.number().min(0).nullish(),
    })
    .nullish(),
  error: z
    .object({
      hasError: z.boolean(),
      errorMessage: text(MAX_CHARACTERS.errorMessage).nullish(),
      errorCode: z.union([text(MAX_CHARACTERS.errorCode), z.number()]).nullish(),
    })
    .nullish(),
  user: z
    .looseObject({
      id: z
        .union([text(MAX_CHARACTERS.userId), z.number()])
        .transform(String)
        .nullish(),
    })
    .nullish(),
  sessionId: text(MAX_CHARACTERS.sessionId).nullish(),
  attributes: z.record(z.string(), Value).nullish(),
  /** The files of the functions in `flow`. They include the source code of those functions whose code was not sent recently. */
  sources: TraceSources.nullish(),
  flow: z
    .array(IngestStep)
    .max(INGEST_LIMITS.traceSteps.max, `must have at most ${showLimit('traceSteps')} steps`)
    .default([]),
  dropped: z
    .object({ steps: z.number().default(0), values: z.number().default(0), bytes: z.number().default(0) })
    .nullish(),
});
export type IngestTrace = z.infer<typeof IngestTrace>;
export type IngestStep = z.infer<typeof IngestStep>;

export const Service = z.object({
  name: text(MAX_CHARACTERS.service).default(''),
  version: text(MAX_CHARACTERS.service).nullish(),
  environment: text(MAX_CHARACTERS.service).nullish(),
  release: text(MAX_CHARACTERS.service).nullish(),
  instance: text(MAX_CHARACTERS.service).nullish(),
  runtime: text(MAX_CHARACTERS.service).nullish(),
});

/**
 * Checks only the envelope. {@link IngestTrace} checks each trace separately, so that an invalid trace does not cause the others to be
 * rejected.
 */
export const IngestBody = z.object({
  sdk: z
    .object({ name: text(MAX_CHARACTERS.service), version: text(MAX_CHARACTERS.service) })
    .partial()
    .nullish(),
  service: Service.prefault({}),
  traces: z.array(z.unknown(), { error: 'must be an array of traces' }),
});

export const IngestAnswer = z.object({
  accepted: z.number(),
  rejected: z.array(
    z.object({
      index: z.number(),
      code: z.enum(Object.keys(REJECTIONS) as [keyof typeof REJECTIONS]),
      message: z.string(),
    }),
  ),
  /** Settings that the project prescribes for the service. For absent settings, the service decides. */
  settings: z.object({ sampleRate: z.number().optional(), capture: CaptureMode.optional() }).optional(),
});
export type IngestAnswer = z.infer<typeof IngestAnswer>;

export const ingestRoutes = {
  traces: defineRoute({
    method: 'POST',
    path: '/api/ingest/traces',
    summary:
      'Send traces. The response is sent once they are stored on disk. With content-type application/x-ndjson the body is exported traces, one per line',
    access: { by: 'api-key' },
    body: IngestBody,
    answer: IngestAnswer,
    errors: [
      'invalid_json',
      'invalid_encoding',
      'validation_failed',
      'invalid_api_key',
      'trial_expired',
      'payload_too_large',
      'unsupported_media_type',
      'quota_exceeded',
      'overloaded',
    ],
  }),
};
