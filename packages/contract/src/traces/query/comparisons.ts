import { type ReadValue, refuse, type SingleFilters, type WrittenValue } from './query-field.ts';

const MICROS = { us: 1, µs: 1, ms: 1000, s: 1_000_000, m: 60_000_000, min: 60_000_000, h: 3_600_000_000 };
const MS_MICROS = 1000;
const S_MICROS = 1_000_000;
/** Maximum duration in a URL parameter, in microseconds: twelve digits of milliseconds, and three decimals. */
const MAX_MICROS = 999_999_999_999_999;
const MAX_COUNT = 999_999;

const DURATION = /^(>=|<=|>|<)?(\d+(?:\.\d+)?)(us|µs|ms|s|m|min|h)?$/;
const COUNT = /^(>=|<=|>|<)?(\d+)$/;

/**
 * Parses a duration such as `>1s`. Durations are whole microseconds, so more than 1 s means at least 1000.001
 * ms.
 */
export function readDuration(value: string): ReadValue {
  const [, sign, digits, unit = 'ms'] = DURATION.exec(value) ?? [];
  if (digits === undefined) {
    return refuse(`“${value}” is not a duration. Write a duration such as >1s, <=250ms or <2min.`);
  }
  if (sign === undefined)
    return refuse(`Write > or < before a duration: >${value} or <${value}.`, `>${value}`);
  const micros = Math.round(Number(digits) * MICROS[unit as keyof typeof MICROS]);
  const bound = micros + (sign === '>' ? 1 : sign === '<' ? -1 : 0);
  if (bound > MAX_MICROS) return refuse(`“${value}” is longer than any request.`);
  if (bound < 0) return refuse('No request takes less than 0 ms.');
  const ms = bound / MS_MICROS;
  return { set: sign.startsWith('>') ? { minDuration: ms } : { maxDuration: ms } };
}

export function writeDurations({ minDuration, maxDuration }: SingleFilters): WrittenValue[] {
  return [
    ...(minDuration === undefined ? [] : [writeDuration('>', minDuration, 1)]),
    ...(maxDuration === undefined ? [] : [writeDuration('<', maxDuration, -1)]),
  ];
}

/** Formats a duration, preferring `>1s` to `>=1000.001ms`. */
function writeDuration(sign: '>' | '<', ms: number, step: 1 | -1): WrittenValue {
  const micros = Math.round(ms * MS_MICROS);
  const isStrict = (micros - step) % MS_MICROS === 0;
  return { value: isStrict ? sign + formatMicros(micros - step) : `${sign}=${formatMicros(micros)}` };
}

function formatMicros(micros: number): string {
  return micros >= S_MICROS && micros % S_MICROS === 0 ? `${micros / S_MICROS}s` : `${micros / MS_MICROS}ms`;
}

/** Returns a parser that turns a count such as `>=8` into the minimum and maximum filters. */
export function countReader(
  min: 'minSteps' | 'minCalls',
  max: 'maxSteps' | undefined,
): (value: string) => ReadValue {
  const least = min === 'minCalls' ? 1 : 0;
  return (value) => {
    const [, sign, digits] = COUNT.exec(value) ?? [];
    if (digits === undefined) return refuse(`“${value}” is not a number. Write a comparison such as >=5.`);
    if (sign === undefined) return refuse(`Write >= before a number: >=${value}.`, `>=${value}`);
    const bound = Number(digits) + (sign === '>' ? 1 : sign === '<' ? -1 : 0);
    if (bound > MAX_COUNT) return refuse(`“${value}” is more than any request has.`);
    if (sign.startsWith('>')) {
      return bound < least
        ? refuse(`The smallest number is ${least}: >=${least}.`, `>=${least}`)
        : { set: { [min]: bound } };
    }
    if (max === undefined) return refuse(`Only a minimum can be given: >=${digits}.`, `>=${digits}`);
    return bound < 0 ? refuse('No request has fewer than 0 steps.') : { set: { [max]: bound } };
  };
}

export function writeCounts(min: number | undefined, max: number | undefined): WrittenValue[] {
  return [
    ...(min === undefined ? [] : [{ value: `>=${min}` }]),
    ...(max === undefined ? [] : [{ value: `<=${max}` }]),
  ];
}
