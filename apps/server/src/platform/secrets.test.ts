import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createSealer, loadSecretKey, randomBase62 } from './secrets.ts';

let dataDir: string;
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'throughline-secret-'));
});
afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

test('the secret is made once and readable by nobody else', () => {
  const config = { secretKey: undefined, dataDir };
  const key = loadSecretKey(config);
  expect(key).toHaveLength(32);
  expect(loadSecretKey(config)).toEqual(key);
  expect(statSync(join(dataDir, 'secret.key')).mode & 0o777).toBe(0o600);
  expect(readdirSync(dataDir)).toEqual(['secret.key']);
});

test('a set secret is used and none is written; a broken file stops the start', () => {
  const secretKey = Buffer.alloc(32, 1);
  expect(loadSecretKey({ secretKey, dataDir })).toBe(secretKey);
  expect(readdirSync(dataDir)).toEqual([]);
  writeFileSync(join(dataDir, 'secret.key'), 'short');
  expect(() => loadSecretKey({ secretKey: undefined, dataDir })).toThrow(/secret\.key/);
});

test('what is sealed opens with the same secret, purpose and place, and not otherwise', () => {
  const key = Buffer.alloc(32, 2);
  const sealer = createSealer(key, 'keys');
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.string(), (text, place) => {
      const sealed = sealer.seal(text, place);
      expect(sealer.open(sealed, place)).toBe(text);
      expect(sealer.seal(text, place)).not.toBe(sealed);
      expect(() => sealer.open(sealed, `${place}!`)).toThrow();
      expect(() => createSealer(key, 'other').open(sealed, place)).toThrow();
      expect(() => createSealer(Buffer.alloc(32, 3), 'keys').open(sealed, place)).toThrow();
    }),
    { numRuns: 50 },
  );
});

test('random letters and digits are all used', () => {
  const seen = new Set(randomBase62(20_000));
  expect(seen.size).toBe(62);
});
