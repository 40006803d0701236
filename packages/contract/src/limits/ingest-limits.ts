import { KB, MB, type RequestLimit } from './limit.ts';

const SEND_LESS = 'Send fewer traces at a time.';

/**
 * Limits of one request that sends traces. Checks, error messages and docs/reference.md derive from these declarations. SDKs and collectors
 * stay below the limits even with the largest batches that can be configured. Larger requests would exhaust a server's memory or block it
 * for seconds.
 */
export const INGEST_LIMITS = {
  packedBytes: { max: 8 * MB, what: 'of compressed bytes', remedy: SEND_LESS },
  unpackedBytes: { max: 64 * MB, what: 'after decompression', remedy: SEND_LESS },
  traces: { max: 10_000, what: 'traces', remedy: SEND_LESS },
  values: {
    max: 5_000_000,
    what: 'JSON values (objects, arrays, texts, numbers, booleans and nulls)',
    remedy: SEND_LESS,
  },
  traceValues: {
    max: 2_000_000,
    what: 'JSON values in one trace',
    remedy: 'Capture fewer values of each step.',
  },
  traceSteps: {
    max: 100_000,
    what: 'steps in one trace',
    remedy: 'Record fewer steps, for example one step with a count for repeated calls of a function.',
  },
  valueBytes: {
    max: 24 * MB,
    what: "of JSON in one step's values, one body, or one other value of a trace",
    remedy: 'Shorten the value.',
  },
  steps: { max: 1_000_000, what: 'steps in all traces together', remedy: SEND_LESS },
  depth: {
    max: 500,
    what: 'nested levels of objects and arrays',
    remedy: 'Send values with fewer nested levels.',
  },
  keys: {
    max: 100_000,
    what: 'members in one object',
    remedy: 'Send objects with fewer members, or send the members as an array.',
  },
  nameBytes: {
    max: 512 * KB,
    what: 'in the name of one attribute, or of one member of an object',
    remedy: 'Give attributes and members short names; long texts belong in their values.',
  },
  attributeNames: {
    max: 50_000,
    what: 'distinct names of attributes, in all traces of the request and their steps together',
    remedy: 'Give attributes fixed names; ids and counters belong in their values.',
  },
  digits: {
    max: 1000,
    what: 'characters in one number',
    remedy: 'Send such a number as a string.',
  },
  memoryBytes: {
    max: 768 * MB,
    what: 'of values in memory',
    remedy: SEND_LESS,
  },
  readSeconds: { max: 60, what: "seconds of work for the server's CPU", remedy: SEND_LESS },
} as const satisfies Record<string, RequestLimit>;

/**
 * Hours that a sender's clock can be ahead of the server's clock, for example if local time is sent as UTC. A trace further ahead is
 * rejected, since it would stay first in every list until its time comes.
 */
export const MAX_CLOCK_LEAD_HOURS = 24;
