import { z } from 'zod';
import { REJECTIONS } from './errors.ts';
import { Instant } from './instants.ts';
import { defineRoute } from './route.ts';

/** Bodies may be as large as this, packed and unpacked. Bytes. */
export const MAX_PACKED_BYTES = 8 * 1024 * 1024;
export const MAX_UNPACKED_BYTES = 64 * 1024 * 1024;

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
/** How much of a request a service records: functions with their values, functions alone, or nothing. */
export const CAPTURE_MODES = ['all', 'structure', 'off'] as const;
export const CaptureMode = z.enum(CAPTURE_MODES);
export type CaptureMode = z.infer<typeof CaptureMode>;

export const StepType = z.enum(STEP_TYPES);
export type StepType = z.infer<typeof StepType>;

/** A captured value: JSON, with the tagged forms of values.ts. Carried, never interpreted. */
const Value = z.unknown();
const text = (max: number) => z.string().max(max, `must be at most ${max} characters long`);
const hex = (digits: number) =>
  z
    .string()
    .regex(new RegExp(`^[0-9a-fA-F]{${digits}}$`), `must be ${digits} hexadecimal digits`)
    .transform((id) => id.toLowerCase());
/** Milliseconds with µs precision. */
const Milliseconds = z.number().min(0, 'must not be negative').max(3.2e10, 'must be less than a year');
const Headers = z.record(z.string(), Value);

export const StepError = z.looseObject({
  message: z.string(),
  name: z.string().optional(),
  stack: z.string().optional(),
  code: z.union([z.string(), z.number()]).optional(),
});

/**
 * What is known of many calls that one step stands for. The step's `duration` is their sum, which may exceed the time between its start and
 * end where they overlapped.
 */
export const Repeat = z.object({
  count: z.int().min(1, 'must be at least 1'),
  minMs: Milliseconds,
  sumMs: Milliseconds,
  maxMs: Milliseconds,
  /** Calls that failed, beyond those that are steps of their own. */
  errors: z.int().min(0, 'must not be negative').optional(),
});
export type Repeat = z.infer<typeof Repeat>;

export const IngestStep = z.object({
  stepId: text(128).min(1, 'must not be empty'),
  parentStepId: text(128).nullish(),
  sequence: z.int().min(0).optional(),
  stepName: text(10_000),
  stepType: StepType.default('custom'),
  startTime: Instant,
  endTime: Instant.optional(),
  duration: Milliseconds,
  repeat: Repeat.nullish(),
  functionName: text(10_000).nullish(),
  filePath: text(4000).nullish(),
  lineNumber: z.int().min(0).max(4_294_967_295).nullish(),
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
    method: text(64).min(1, 'must not be empty'),
    path: text(8192),
    route: text(8192).nullish(),
    url: text(65_536).nullish(),
    headers: Headers.optional(),
    query: Value.optional(),
    body: Value.optional(),
    ip: text(255).nullish(),
    userAgent: text(4096).nullish(),
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
      /** Percent of one core. */
      cpuUsage: z.number().min(0).nullish(),
      /** Milliseconds. */
      eventLoopDelay: z.number().min(0).nullish(),
    })
    .nullish(),
  error: z
    .object({
      hasError: z.boolean(),
      errorMessage: z.string().nullish(),
      errorCode: z.union([z.string(), z.number()]).nullish(),
    })
    .nullish(),
  user: z.looseObject({ id: z.union([z.string(), z.number()]).transform(String).nullish() }).nullish(),
  sessionId: text(512).nullish(),
  attributes: z.record(z.string(), Value).nullish(),
  flow: z.array(IngestStep).max(100_000, 'must have at most 100,000 steps').default([]),
  dropped: z
    .object({ steps: z.number().default(0), values: z.number().default(0), bytes: z.number().default(0) })
    .nullish(),
});
export type IngestTrace = z.infer<typeof IngestTrace>;
export type IngestStep = z.infer<typeof IngestStep>;

export const Service = z.object({
  name: text(255).default(''),
  version: text(255).nullish(),
  environment: text(255).nullish(),
  release: text(255).nullish(),
  instance: text(255).nullish(),
  runtime: text(255).nullish(),
});

/** The envelope alone: each of `traces` is checked by {@link IngestTrace} for itself, so that a bad one never takes a good one with it. */
export const IngestBody = z.object({
  sdk: z
    .object({ name: text(255), version: text(255) })
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
  /** What the project asks of the service; what is absent is the service's own choice. */
  settings: z.object({ sampleRate: z.number().optional(), capture: CaptureMode.optional() }).optional(),
});
export type IngestAnswer = z.infer<typeof IngestAnswer>;

export const ingestRoutes = {
  traces: defineRoute({
    method: 'POST',
    path: '/api/ingest/traces',
    summary:
      'Send traces; answered once they are on disk. With content-type application/x-ndjson: exported traces, one a line',
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
