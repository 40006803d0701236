import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatInstant, MAX_MICROS, MIN_MICROS, parseInstant } from './instants.ts';

const isLeap = (year: number) => year % 400 === 0 || (year % 4 === 0 && year % 100 !== 0);
const countDays = (year: number, month: number) =>
  [31, isLeap(year) ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1] ?? 0;

/** Counts the days from 1970-01-01 to a date, year by year and month by month. */
function countSince1970(year: number, month: number, day: number): number {
  let days = day - 1;
  for (let each = 1; each < month; each += 1) days += countDays(year, each);
  for (let each = 1970; each < year; each += 1) days += isLeap(each) ? 366 : 365;
  for (let each = year; each < 1970; each += 1) days -= isLeap(each) ? 366 : 365;
  return days;
}

/** A time as written, and its epoch µs. */
interface Written {
  readonly text: string;
  readonly micros: bigint;
}

const twoDigits = (value: number) => String(value).padStart(2, '0');
const offset = fc.oneof(
  fc.constant({ zone: 'Z', minutes: 0 }),
  fc.tuple(fc.constantFrom('+', '-'), fc.nat(14), fc.constantFrom(0, 30, 45)).map(([sign, hours, more]) => ({
    zone: `${sign}${twoDigits(hours)}:${twoDigits(more)}`,
    minutes: (sign === '+' ? 1 : -1) * (hours * 60 + more),
  })),
);
const day = fc
  .tuple(fc.integer({ min: 1901, max: 2260 }), fc.integer({ min: 1, max: 12 }))
  .chain(([year, month]) =>
    fc.integer({ min: 1, max: countDays(year, month) }).map((date) => ({
      text: `${year}-${twoDigits(month)}-${twoDigits(date)}`,
      days: countSince1970(year, month, date),
    })),
  );
const written: fc.Arbitrary<Written> = fc
  .record({
    day: fc.oneof(
      day,
      fc.constantFrom({ text: '1969-12-31', days: -1 }, { text: '2024-02-29', days: 19_782 }),
    ),
    hours: fc.nat(23),
    minutes: fc.nat(59),
    seconds: fc.nat(59),
    fraction: fc.oneof(fc.stringMatching(/^\d{0,9}$/), fc.stringMatching(/^\d{6}$/)),
    offset,
  })
  .map(({ day: { text, days }, hours, minutes, seconds, fraction, offset: { zone, minutes: ahead } }) => ({
    text: `${text}T${[hours, minutes, seconds].map(twoDigits).join(':')}${fraction === '' ? '' : `.${fraction}`}${zone}`,
    micros:
      BigInt(((days * 24 + hours) * 60 + minutes - ahead) * 60 + seconds) * 1_000_000n +
      BigInt(fraction.padEnd(6, '0').slice(0, 6)),
  }));

describe('instants', () => {
  it('are parsed to the number of microseconds that a simple count of days, hours, minutes and seconds gives', () => {
    fc.assert(
      fc.property(written, ({ text, micros }) => {
        expect(parseInstant(text)).toBe(micros);
      }),
      { numRuns: 500 },
    );
  });

  it('are written in UTC with six decimals', () => {
    const utc = written.filter(({ text }) => /\.\d{6}Z$/.test(text));
    fc.assert(
      fc.property(fc.array(utc, { minLength: 1, maxLength: 5 }), (all) => {
        expect(all.map(({ micros }) => formatInstant(micros))).toEqual(all.map(({ text }) => text));
      }),
    );
  });

  it('are converted to microseconds and back without loss', () => {
    fc.assert(
      fc.property(fc.bigInt(MIN_MICROS, MAX_MICROS), (micros) => {
        expect(parseInstant(formatInstant(micros))).toBe(micros);
      }),
    );
  });

  it.each([
    ['2026-01-01T00:00:00Z', '2026-01-01T00:00:00.000000Z'],
    ['2026-01-01T00:00:00.1234567Z', '2026-01-01T00:00:00.123456Z'],
    ['2026-01-01T02:30:00.5+02:30', '2026-01-01T00:00:00.500000Z'],
    ['1969-12-31T23:59:59.999999Z', '1969-12-31T23:59:59.999999Z'],
  ])('%s is accepted', (text, instant) => {
    expect(formatInstant(parseInstant(text) ?? 0n)).toBe(instant);
  });

  it('of the same second are parsed with their own fractions, even if other seconds are parsed in between', () => {
    const second = fc.constantFrom('2026-01-01T00:00:00', '2026-01-01T00:00:01', '1969-12-31T23:59:59');
    fc.assert(
      fc.property(fc.array(fc.tuple(second, fc.nat(999_999))), (instants) => {
        for (const [at, micros] of instants) {
          const expected = BigInt(Date.parse(`${at}Z`)) * 1000n + BigInt(micros);
          expect(parseInstant(`${at}.${String(micros).padStart(6, '0')}Z`)).toBe(expected);
        }
      }),
    );
  });

  it.each(['', 'yesterday', '2026-01-01', '2026-13-01T00:00:00Z', '2026-01-01T00:00:00'])(
    '%j is rejected',
    (text) => {
      expect(parseInstant(text)).toBeUndefined();
    },
  );
});
