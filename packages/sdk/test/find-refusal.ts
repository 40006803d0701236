import {
  INGEST_LIMITS,
  IngestTrace,
  MAX_CLOCK_LEAD_HOURS,
  MAX_MICROS,
  MIN_MICROS,
  parseInstant,
} from '@throughline/contract';

const HOUR_MICROS = 3_600_000_000n;

/** Returns why the server would reject a trace. Returns undefined if the server accepts the trace. */
export function findRefusal(trace: unknown): string | undefined {
  const read = IngestTrace.safeParse(trace);
  if (!read.success) {
    const [issue] = read.error.issues;
    return `${issue?.path.join('.')}: ${issue?.message}`;
  }
  const { timing, flow } = read.data;
  const start = parseInstant(timing.startTime);
  if (start === undefined || start > BigInt(Date.now()) * 1000n + BigInt(MAX_CLOCK_LEAD_HOURS) * HOUR_MICROS)
    return 'timing.startTime';
  for (const { startTime, endTime } of flow) {
    for (const time of [startTime, endTime]) {
      const micros = time === undefined ? start : parseInstant(time);
      if (micros === undefined || micros < MIN_MICROS || micros > MAX_MICROS)
        return `a time of a step: ${time}`;
    }
  }
  const names = new Set([read.data.attributes, ...flow.map(({ metadata }) => metadata)].flatMap(listNames));
  if (names.size > INGEST_LIMITS.attributeNames.max) return 'attributeNames';
  return findExcess(trace, 2);
}

function listNames(fields: unknown): string[] {
  return typeof fields === 'object' && fields !== null && !Array.isArray(fields) ? Object.keys(fields) : [];
}

/** Returns the first limit of JSON that a value exceeds. */
function findExcess(value: unknown, depth: number): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  if (depth > INGEST_LIMITS.depth.max) return 'depth';
  const members = Object.entries(value);
  if (!Array.isArray(value)) {
    if (members.length > INGEST_LIMITS.keys.max) return 'keys';
    if (members.some(([name]) => Buffer.byteLength(name) > INGEST_LIMITS.nameBytes.max)) return 'nameBytes';
  }
  for (const [, member] of members) {
    const excess = findExcess(member, depth + 1);
    if (excess !== undefined) return excess;
  }
  return undefined;
}
