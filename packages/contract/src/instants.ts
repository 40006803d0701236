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

/** An ISO 8601 instant as epoch µs; digits beyond µs are cut. Undefined where it is none. */
export function instantToMicros(text: string): bigint | undefined {
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
