import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { areNumbersExact, readKeepingNumbers } from './exact-numbers.ts';

/** A JSON number in any notation that JSON allows. */
const numberText = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => JSON.stringify(value)),
  fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }).map(String),
  fc
    .tuple(fc.integer(), fc.stringMatching(/^\d{1,25}$/), fc.option(fc.integer({ min: -400, max: 400 })))
    .map(([whole, fraction, exponent]) => `${whole}.${fraction}${exponent === null ? '' : `e${exponent}`}`),
  fc.constantFrom('-0', '-0.0', '-0e5', '1e400', '0.1', '1E+2', '5e-324', '9007199254740993', '0e0'),
);

/** Returns a number's value in one notation, so that equal numbers give equal strings. */
function worth(text: string): string {
  const [mantissa = '', exponent = '0'] = text.toLowerCase().split('e');
  const [whole = '', fraction = ''] = mantissa.split('.');
  let digits = BigInt((whole + fraction).replace('-', ''));
  let power = BigInt(exponent) - BigInt(fraction.length);
  while (digits !== 0n && digits % 10n === 0n) {
    digits /= 10n;
    power += 1n;
  }
  return `${text.startsWith('-') ? '-' : ''}${digits}e${digits === 0n ? 0n : power}`;
}

describe('numbers in JSON', () => {
  it('keep their value in any notation', () => {
    fc.assert(
      fc.property(fc.array(numberText, { minLength: 1 }), fc.constantFrom('', ' ', '\n'), (texts, space) => {
        const sent = `{"numbers":[${texts.map((text) => space + text + space).join(',')}]}`;
        const kept = areNumbersExact(sent) ? JSON.parse(sent) : readKeepingNumbers(sent);
        const written = JSON.stringify(kept).slice('{"numbers":['.length, -2).split(',');
        expect(written.map(worth)).toEqual(texts.map(worth));
      }),
      { numRuns: 2000 },
    );
  });

  it('are parsed with JSON.parse alone if doubles can represent them', () => {
    fc.assert(
      fc.property(fc.array(fc.double({ noNaN: true, noDefaultInfinity: true })), (numbers) => {
        expect(
          areNumbersExact(
            JSON.stringify({ numbers: numbers.map((number) => (Object.is(number, -0) ? 0 : number)) }),
          ),
        ).toBe(true);
      }),
    );
  });

  it('are not changed inside strings', () => {
    const text = JSON.stringify({ a: ': 12345678901234567890,', b: ['-0', ',1e999]'] });
    expect(JSON.stringify(readKeepingNumbers(text))).toBe(text);
  });
});
