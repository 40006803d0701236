import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { instantToMicros, MAX_MICROS, MIN_MICROS, microsToInstant } from './instants.ts';

describe('instants', () => {
  it('are converted to µs and back without loss', () => {
    fc.assert(
      fc.property(fc.bigInt(MIN_MICROS, MAX_MICROS), (micros) => {
        expect(instantToMicros(microsToInstant(micros))).toBe(micros);
      }),
    );
  });

  it.each([
    ['2026-01-01T00:00:00Z', '2026-01-01T00:00:00.000000Z'],
    ['2026-01-01T00:00:00.1234567Z', '2026-01-01T00:00:00.123456Z'],
    ['2026-01-01T02:30:00.5+02:30', '2026-01-01T00:00:00.500000Z'],
    ['1969-12-31T23:59:59.999999Z', '1969-12-31T23:59:59.999999Z'],
  ])('%s is accepted', (text, instant) => {
    expect(microsToInstant(instantToMicros(text) ?? 0n)).toBe(instant);
  });

  it('of one second are parsed to their own fractions, also if other seconds are parsed in between', () => {
    const second = fc.constantFrom('2026-01-01T00:00:00', '2026-01-01T00:00:01', '1969-12-31T23:59:59');
    fc.assert(
      fc.property(fc.array(fc.tuple(second, fc.nat(999_999))), (instants) => {
        for (const [at, micros] of instants) {
          const expected = BigInt(Date.parse(`${at}Z`)) * 1000n + BigInt(micros);
          expect(instantToMicros(`${at}.${String(micros).padStart(6, '0')}Z`)).toBe(expected);
        }
      }),
    );
  });

  it.each(['', 'yesterday', '2026-01-01', '2026-13-01T00:00:00Z', '2026-01-01T00:00:00'])(
    '%j is rejected',
    (text) => {
      expect(instantToMicros(text)).toBeUndefined();
    },
  );
});
