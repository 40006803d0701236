import fc from 'fast-check';
import { expect, it } from 'vitest';
import { decodeBase64 } from './base64.ts';

const decoded = (text: string) => {
  const bytes = decodeBase64(text);
  return bytes && Buffer.from(bytes).toString('hex');
};

it('both alphabets of base64 are decoded, with padding and without', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
      const whole = Buffer.from(bytes);
      const hex = whole.toString('hex');
      expect(decoded(whole.toString('base64'))).toBe(hex);
      expect(decoded(whole.toString('base64').replace(/=+$/, ''))).toBe(hex);
      expect(decoded(whole.toString('base64url'))).toBe(hex);
    }),
  );
});

it('a base64 string that was cut off at any position is decoded as far as possible', () => {
  const whole = Buffer.from('{"user":"ada","clientSecret":"zx81spectrum"}');
  const text = whole.toString('base64');
  for (let length = 0; length < text.length; length++) {
    expect(whole.toString('hex')).toContain(decoded(text.slice(0, length)));
  }
});

it.each(['ey J', 'eyJ!', 'e=yJ', 'eyJé', 'eyJ\u{1f511}'])(
  'a string that is not base64 is rejected: %s',
  (text) => {
    expect(decodeBase64(text)).toBeUndefined();
  },
);
