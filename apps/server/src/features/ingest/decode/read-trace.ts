import {
  INGEST_LIMITS,
  IngestStep,
  IngestTrace,
  isPlainStep,
  MAX_CLOCK_LEAD_HOURS,
  MAX_MICROS,
  MIN_MICROS,
  parseInstant,
  readPlainHead,
  showLimit,
} from '@throughline/contract';
import type { z } from 'zod';

const Head = IngestTrace.omit({ flow: true });
const MAX_STEPS = INGEST_LIMITS.traceSteps.max;
const MAX_AHEAD_MICROS = BigInt(MAX_CLOCK_LEAD_HOURS) * 3_600_000_000n;

/**
 * A trace's fields after the contract's checks, with times in epoch microseconds. Captured values are not included, because they are stored
 * as sent.
 */
export interface CheckedTrace {
  readonly head: z.output<typeof Head>;
  readonly startMicros: bigint;
  /** In the order sent. */
  readonly steps: readonly CheckedStep[];
}

export interface CheckedStep {
  readonly step: IngestStep;
  readonly startMicros: bigint;
  readonly endMicros: bigint | undefined;
}

/** A fault in a trace; the message starts with the field's path. */
export class TraceFault extends Error {
  override readonly name = 'TraceFault';
}

/**
 * Checks one trace step by step and stops at the first fault, so that a hostile trace with many faults costs no more than its first fault.
 * @throws TraceFault
 */
export function readTrace(sent: unknown, nowMicros: bigint): CheckedTrace {
  const head = readPlainHead(sent) ?? check(Head, sent, []);
  const startMicros = parseMicros(head.timing.startTime, ['timing', 'startTime']);
  if (startMicros > nowMicros + MAX_AHEAD_MICROS) {
    throw buildFault(
      ['timing', 'startTime'],
      `is more than ${MAX_CLOCK_LEAD_HOURS} hours ahead of the server's clock`,
    );
  }
  return { head, startMicros, steps: getFlow(sent).map(readStep) };
}

function getFlow(sent: unknown): readonly unknown[] {
  const flow = typeof sent === 'object' && sent !== null && 'flow' in sent ? sent.flow : undefined;
  if (flow === undefined) return [];
  if (!Array.isArray(flow)) throw buildFault(['flow'], 'must be an array of steps');
  if (flow.length > MAX_STEPS) throw buildStepsFault();
  return flow;
}

export function buildStepsFault(): TraceFault {
  return buildFault(['flow'], `must have at most ${showLimit('traceSteps')} steps (limit traceSteps)`);
}

function readStep(sent: unknown, index: number): CheckedStep {
  const path = ['flow', index];
  const step = isPlainStep(sent) ? sent : check(IngestStep, sent, path);
  return {
    step,
    startMicros: parseMicros(step.startTime, [...path, 'startTime']),
    endMicros: step.endTime === undefined ? undefined : parseMicros(step.endTime, [...path, 'endTime']),
  };
}

function check<S extends z.ZodType>(schema: S, sent: unknown, path: readonly PropertyKey[]): z.output<S> {
  const read = schema.safeParse(sent);
  if (read.success) return read.data;
  const [first] = read.error.issues;
  throw buildFault([...path, ...(first?.path ?? [])], first?.message ?? 'is not valid');
}

function parseMicros(instant: string, path: readonly PropertyKey[]): bigint {
  const micros = parseInstant(instant);
  if (micros === undefined)
    throw buildFault(path, 'must be an ISO 8601 instant such as 2026-01-01T00:00:00.000000Z');
  if (micros < MIN_MICROS || micros > MAX_MICROS)
    throw buildFault(path, 'must be between the years 1900 and 2261');
  return micros;
}

/** Builds the error for an invalid field of a trace. */
export function buildFault(path: readonly PropertyKey[], message: string): TraceFault {
  return new TraceFault(`${formatPath(path)}: ${message}`);
}

/** Formats `['flow', 2, 'duration']` as `.flow[2].duration`, which is appended to `traces[3]`. */
function formatPath(path: readonly PropertyKey[]): string {
  return path
    .map((part) => {
      if (typeof part === 'number') return `[${part}]`;
      const name = String(part);
      return /^[A-Za-z_$][\w$]*$/.test(name) ? `.${name}` : `[${JSON.stringify(name.slice(0, 100))}]`;
    })
    .join('');
}
