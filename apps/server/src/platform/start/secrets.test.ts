import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createRandomBase62, createSealer, createSecret, findSecret } from './secrets.ts';

let dataDir: string;
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'throughline-secret-'));
});
afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

test('a created secret is readable only by its owner, and the next start finds it', () => {
  const config = { secretKey: undefined, dataDir };
  expect(findSecret(config)).toBeUndefined();
  const key = createSecret(dataDir);
  expect(key).toHaveLength(32);
  expect(findSecret(config)).toEqual(key);
  expect(statSync(join(dataDir, 'secret.key')).mode & 0o777).toBe(0o600);
  expect(readdirSync(dataDir)).toEqual(['secret.key']);
});

test('a secret from the settings takes precedence over the secret in the data folder', () => {
  createSecret(dataDir);
  const secretKey = Buffer.alloc(32, 1);
  expect(findSecret({ secretKey, dataDir })).toBe(secretKey);
});

test.each(['', 'short', 'A'.repeat(400)])(
  'a secret file with %j is rejected, and the error names the file',
  (content) => {
    writeFileSync(join(dataDir, 'secret.key'), content);
    expect(() => findSecret({ secretKey: undefined, dataDir })).toThrow(
      /secret\.key does not contain 32 bytes/,
    );
  },
);

test('a folder in place of the secret file is rejected, and the error names the path', () => {
  mkdirSync(join(dataDir, 'secret.key'));
  expect(() => findSecret({ secretKey: undefined, dataDir })).toThrow(
    /secret\.key cannot be read \(EISDIR.*\)/,
  );
});

test('decrypting a modified string returns undefined instead of throwing an error', () => {
  const sealer = createSealer(Buffer.alloc(32, 2), 'api-keys');
  const sealed = sealer.seal('text', 'place');
  expect(sealer.tryOpen(sealed, 'place')).toBe('text');
  for (const damaged of ['', 'x', sealed.slice(0, -8), `A${sealed}`])
    expect(sealer.tryOpen(damaged, 'place')).toBeUndefined();
});

test('an encrypted string can be decrypted only with the same secret, purpose and place', () => {
  const key = Buffer.alloc(32, 2);
  const sealer = createSealer(key, 'api-keys');
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.string(), (text, place) => {
      const sealed = sealer.seal(text, place);
      expect(sealer.open(sealed, place)).toBe(text);
      expect(sealer.seal(text, place)).not.toBe(sealed);
      expect(() => sealer.open(sealed, `${place}!`)).toThrow();
      expect(() => createSealer(key, 'mail').open(sealed, place)).toThrow();
      expect(() => createSealer(Buffer.alloc(32, 3), 'api-keys').open(sealed, place)).toThrow();
    }),
    { numRuns: 50 },
  );
});

test('random base62 strings use all letters and digits', () => {
  const seen = new Set(createRandomBase62(20_000));
  expect(seen.size).toBe(62);
});
