import { formatInstant, parseInstant } from '@throughline/contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createMicrosAfter } from './micros-after.ts';

const BEGIN = 1_767_225_600_000_000n;
const exact = (begin: string, instant: string) =>
  Number((parseInstant(instant) ?? parseInstant(begin) ?? 0n) - (parseInstant(begin) ?? 0n));

/** Writes epoch µs as an ISO 8601 time with six decimals. */
function writeInstant(micros: bigint): string {
  const ms = micros / 1000n;
  return new Date(Number(ms)).toISOString().replace('Z', `${String(micros - ms * 1000n).padStart(3, '0')}Z`);
}

describe('the microseconds between two timestamps', () => {
  it('are exact for any timestamps', () => {
    // Instants within seconds of `BEGIN` use the fast path, and instants years away the slow path.
    const distance = fc.oneof(fc.bigInt(-10_000_000n, 10_000_000n), fc.bigInt(-1n << 50n, 1n << 50n));
    fc.assert(
      fc.property(distance, distance, (a, b) => {
        expect(createMicrosAfter(writeInstant(BEGIN + a))(writeInstant(BEGIN + b))).toBe(Number(b - a));
      }),
    );
  });

  it.each([
    '2026-01-01T00:00:07Z',
    '2026-01-01T00:00:07.5Z',
    '2026-01-01T00:00:07.123456789Z',
    '2026-01-01T00:00:07.000000+01',
    '2026-01-01T01:00:07.123+01:00',
    '2026-01-01T00:00:0x.000000Z',
    'nonsense',
    '',
  ])('equal the result of the general date parser for %j', (instant) => {
    const begin = formatInstant(BEGIN);
    expect(createMicrosAfter(begin)(instant)).toBe(exact(begin, instant));
    expect(createMicrosAfter(instant)(begin)).toBe(
      Number((parseInstant(begin) ?? 0n) - (parseInstant(instant) ?? 0n)),
    );
  });
});
