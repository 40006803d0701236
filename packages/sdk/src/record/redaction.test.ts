import { HiddenTexts, Redactor, type RedactRules } from '@throughline/contract/redaction';
import type { CapturedValue } from '@throughline/contract/values';
import { composeValue, listPlanted } from '@throughline/testkit/secrets';
import { repetitions } from '@throughline/testkit/thorough';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { randomValue } from '../../test/random-value.ts';
import { CaptureRules } from './capture/capture-rules.ts';
import { defaultLimits } from './capture/limits.ts';
import { Snapshotter } from './snapshot/snapshot.ts';

interface Taken {
  readonly value: CapturedValue;
  readonly secrets: readonly string[];
}

const limits = { ...defaultLimits, depth: 6, stepBytes: 4_000_000, requestBytes: 16_000_000 };

function takenClean(value: unknown, rules: RedactRules): Taken {
  const snapshotter = new Snapshotter(limits, new CaptureRules(new Redactor(rules)));
  snapshotter.beginStep();
  const taken = snapshotter.take(value, ['v']);
  const redactor = new Redactor(rules);
  const { secrets } = snapshotter;
  // Some values cannot be checked by the redaction when they are captured. They are redacted when the trace is written.
  const shown = redactor.collectSecrets(secrets, () =>
    taken.clean ? taken.read() : redactor.value(taken.read()),
  );
  return { value: JSON.parse(JSON.stringify(shown)), secrets: [...secrets].sort() };
}

/** Captures a value as the SDK does if a rule has a path. Only texts that are cut are then redacted during capture. */
function cleanedAfterwards(value: unknown, rules: RedactRules): Taken {
  const redactor = new Redactor(rules);
  const snapshotter = new Snapshotter(limits, new CaptureRules(null, false, redactor));
  snapshotter.beginStep();
  const taken = snapshotter.take(value, ['v']).read();
  const { secrets } = snapshotter;
  const clean = redactor.collectSecrets(secrets, () => redactor.value(taken));
  return { value: JSON.parse(JSON.stringify(clean)), secrets: [...secrets].sort() };
}

/** Returns a value of a host whose captured form is `value`. */
function toHostValue(value: CapturedValue): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(toHostValue);
  const { $type, ...members } = Object.fromEntries(
    Object.entries(value).map(([key, member]) => [key, toHostValue(member)]),
  );
  if ($type === 'Map' && Array.isArray(members['entries'])) return new Map(members['entries']);
  return $type === 'object' ? Object.assign(new User(), members['properties']) : members;
}

class User {}

describe('a value that is redacted during capture', () => {
  it('equals the same value redacted after its capture', () => {
    fc.assert(
      fc.property(
        randomValue,
        fc.constantFrom<RedactRules>({}, { keys: ['nickname', 'émile'] }),
        (value, rules) => {
          const taken = takenClean(value, rules);
          const whole = cleanedAfterwards(value, rules);
          expect(taken.value).toEqual(whole.value);
          // A secret of `whole` can be longer than that of `taken`, because without redaction during capture, a value that is redacted as a
          // whole is captured completely.
          const isKnown = (secret: string) => whole.secrets.some((known) => known.includes(secret));
          // A secret inside a value that is redacted as a whole is collected only during capture. The written trace must not contain this
          // secret, wherever the value repeats it.
          const redactor = new Redactor(rules);
          const hidden = new HiddenTexts(taken.secrets);
          const shown = JSON.stringify(redactor.hideSecrets(hidden, () => redactor.value(taken.value)));
          const unknown = taken.secrets.filter((secret) => !isKnown(secret) && shown.includes(secret));
          expect(unknown).toEqual([]);
        },
      ),
      {
        numRuns: repetitions({ usually: 800, thoroughly: 3000 }),
        // A member repeats a secret of a hidden error.
        examples: [[{ password: [new Error('postgres://app:hunter2@db/shop')], Name: 'hunter2' }, {}]],
      },
    );
  });

  it.each([21, 22])(
    'equals the same value redacted after its capture, and does not change if redacted again, for composed values of seed %i',
    (seed) => {
      const server = new Redactor();
      for (let item = 0; item < repetitions({ usually: 150, thoroughly: 5000 }); item++) {
        const value = toHostValue(composeValue(seed, item).value);
        const { value: shown } = takenClean(value, {});
        const label = `item ${item}`;
        expect(shown, label).toEqual(cleanedAfterwards(value, {}).value);
        expect(server.value(shown), label).toEqual(shown);
      }
    },
  );

  it.each(listPlanted('velvet'))(
    'hides the secret in $value, also if the value is redacted again',
    ({ value, secret }) => {
      const { value: shown } = takenClean(toHostValue(value), {});
      expect(JSON.stringify(shown)).not.toContain(secret);
      expect(new Redactor().value(shown)).toEqual(shown);
      expect(cleanedAfterwards(toHostValue(value), {}).value).toEqual(shown);
    },
  );

  it('hides the parameters of a statement below a name that a rule hides', () => {
    const parameters = ['velvet', 7];
    const shown = takenClean(
      { mySql: ['UPDATE users SET password = ', ' WHERE id = ', ''], params: parameters },
      { keys: ['mySql'] },
    );
    expect(shown.value).toEqual({
      mySql: { $type: 'redacted', of: 'array' },
      params: [{ $type: 'redacted', of: 'string' }, 7],
    });
  });

  it.each([
    [{ password: ['must be at least 8 characters long'] }],
    [{ label: 'pw', content: 'zx81spectrum' }],
    [['UPDATE users SET token = $1 -- ?pin=1234', 'zx81spectrum']],
    [[['salt', '{"password":"abc"} and more']]],
    [{ name: 'tan', value: 'https://a.example/reset-password/Harbor-9?lang=de' }],
    [['-u', 'root', '-ppostgres://ann:secret@db.example:5432/shop']],
    [{ invite: 'https://a.example/cb#user=a; ‹redacted›' }],
    [{ Passwort: new Map([['credentials', '***']]), credentials: '***' }],
    [{ tokens: 'UPDATE users SET a = $1 WHERE token = $2', query: ['a', 'b'] }],
    [[['app --password 49099392 --port 80', '1985c6a3e2b8a0cf9da0f1d91f423495d45896c7']]],
    [
      [
        ['passwd', 'sk_live_LOy9ROEMABHiexdhTbDUOz1l'],
        ['pin', 539_609],
      ],
    ],
    [{ Plaintext: 'velvet', CiphertextBlob: Buffer.from('x') }],
    [{ plaintext: 'velvet harbor', plaintextCrc32c: { value: '1' } }],
    [['hasPassword', 'Sommer']],
    [{ passwordMatches: 'sommer' }],
    [{ password: { hint: 'Correct Horse Battery Staple' } }],
  ])('equals the same value redacted after its capture: %j', (value) => {
    expect(takenClean(value, {}).value).toEqual(cleanedAfterwards(value, {}).value);
  });

  it.each<[string, unknown]>([
    ['card 4111 1111 1111 1111.', { $type: { note: 'blue' } }],
    ['card', [4111111111111111]],
  ])('equals the same value redacted after its capture: a Map whose entry is named %s', (name, entry) => {
    const value = new Map([[name, entry]]);
    expect(takenClean(value, {}).value).toEqual(cleanedAfterwards(value, {}).value);
    expect(takenClean({ [name]: entry }, {}).value).toEqual(cleanedAfterwards({ [name]: entry }, {}).value);
  });

  it.each([
    [new Map([['card 4111 1111 1111 1111.', { $type: { note: 'blue' } }]])],
    [new Map([['theme=dark; session=abc', Object.assign(new Date(0), { Value: 'x' })]])],
    [new Map([['Bearer abc123456', new Map()]])],
    [{ card: [4111111111111111], tokens: ['swordfish', 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln'] }],
    [{ apiKeyHeader: 'X-Shop-Key', license: 'b3JkZXJfaWQ9gqPP42hBYBDS86', stripe: { key: 'orders-7' } }],
    [{ pass: 12, failed: 1 }],
    [{ pass: 482913, user: 'ada' }],
    [{ accountNumber: 10023, account: { number: 1 } }],
    [{ token: { value: 'swordfish' }, tokens: ['swordfish'], card: { code: 123 } }],
  ])(
    'equals the same value redacted after its capture, if a name or value decides whether another value is a secret: %j',
    (value) => {
      expect(takenClean(value, {}).value).toEqual(cleanedAfterwards(value, {}).value);
    },
  );

  it.each([
    [{ label: 'Password', content: 'zx81-spectrum' }],
    [{ id: 'password', value: 'zx81-spectrum' }],
    [{ columns: ['id', 'password'], rows: [[1, 'zx81-spectrum']] }],
    [{ fields: [{ name: 'id' }, { id: 'password' }], rows: [[1, 'zx81-spectrum']] }],
    [
      {
        sql: 'INSERT INTO users (email, password) VALUES ($1, $2)',
        params: ['ada@example.com', 'zx81-spectrum'],
      },
    ],
    [['UPDATE users SET token = ? WHERE id = ?', ['zx81-spectrum', 7]]],
    [[['UPDATE users SET password = ', ' WHERE id = ', ''], 'zx81-spectrum', 7]],
    [[['INSERT INTO users (id, password) VALUES (', ', ', ')'], 7, 'zx81-spectrum']],
    [[['UPDATE users SET name = ', ', password = ', ''], 'ada', 'zx81-spectrum']],
    [{ strings: ['SELECT id FROM users WHERE\n', ' AND token = ', ''], values: [true, 'zx81-spectrum'] }],
  ])('does not show a value that its sibling marks as secret: %j', (value) => {
    const { value: shown } = takenClean(value, {});
    expect(JSON.stringify(shown)).not.toContain('zx81');
  });

  it('shows only the type of a secret argument, whether it is redacted during capture or afterwards', () => {
    const jwt = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl';
    const hidden = ['-', { $type: 'redacted', of: 'string' }];
    expect(takenClean(['-', jwt], {}).value).toEqual(hidden);
    expect(cleanedAfterwards(['-', jwt], {}).value).toEqual(hidden);
  });

  it("shows only the type of a value under a secret's name, and nothing of the values in it", () => {
    const shared = { number: 'visa' };
    expect(
      takenClean(
        {
          password: 'correct-horse',
          pin: 1234,
          passphrase: shared,
          again: shared,
          token: null,
          session: undefined,
        },
        {},
      ),
    ).toEqual({
      value: {
        password: { $type: 'redacted', of: 'string' },
        pin: { $type: 'redacted', of: 'number' },
        passphrase: { $type: 'redacted', of: 'object' },
        again: { $type: 'reference', path: ['v', 'passphrase'] },
        token: null,
        session: { $type: 'undefined' },
      },
      secrets: ['correct-horse'],
    });
  });
});
