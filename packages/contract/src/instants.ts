import { z } from 'zod';

/** An instant on the wire: ISO 8601 UTC with up to µs. */
export const Instant = z.iso.datetime({
  offset: true,
  error: 'must be an ISO 8601 instant such as 2026-01-01T00:00:00.000000Z',
});

/** Instants the stores can hold: the years 1900 to 2261. Epoch µs. */
export const MIN_MICROS = -2_208_988_800_000_000n;
export const MAX_MICROS = 9_214_646_400_000_000n;

const PARTS = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2})?)(?:\.(\d+))?(Z|[+-]\d{2}:?\d{2})$/;

/** As `Date.prototype.toISOString` writes it, with six decimals for three. */
const WITH_MICROS = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{6}Z$/;
/** A request's instants lie in one second or two: the last second asked for, without its fraction, and its epoch µs. */
let lastSecond = '';
let lastSecondMicros = 0n;

/** An ISO 8601 instant as epoch µs; digits beyond µs are cut. Undefined where it is none. */
export function instantToMicros(text: string): bigint | undefined {
  if (!WITH_MICROS.test(text)) return anyInstantToMicros(text);
  if (!text.startsWith(lastSecond) || lastSecond === '') {
    const millis = Date.parse(`${text.slice(0, 19)}Z`);
    if (Number.isNaN(millis)) return undefined;
    lastSecond = text.slice(0, 20);
    lastSecondMicros = BigInt(millis) * 1000n;
  }
  return lastSecondMicros + BigInt(Number(text.slice(20, 26)));
}

function anyInstantToMicros(text: string): bigint | undefined {
  const parts = PARTS.exec(text);
  if (parts === null) return undefined;
  const [, seconds = '', fraction = '', zone = ''] = parts;
  const millis = Date.parse(seconds + zone);
  if (Number.isNaN(millis)) return undefined;
  return BigInt(millis) * 1000n + BigInt(fraction.slice(0, 6).padEnd(6, '0'));
}

/** Epoch µs as ISO 8601 UTC with six decimals. */
export function microsToInstant(micros: bigint): string {
  const fraction = ((micros % 1_000_000n) + 1_000_000n) % 1_000_000n;
  const seconds = (micros - fraction) / 1_000_000n;
  const whole = new Date(Number(seconds) * 1000).toISOString();
  return `${whole.slice(0, 19)}.${fraction.toString().padStart(6, '0')}Z`;
}
