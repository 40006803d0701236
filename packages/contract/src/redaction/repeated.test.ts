import { composePlanted, composeValue, listPlanted } from '@throughline/testkit/secrets';
import { repetitions } from '@throughline/testkit/thorough';
import { describe, expect, it } from 'vitest';
import type { CapturedValue } from '../values.ts';
import { Redactor } from './redactor.ts';

const redactor = new Redactor();
const redact = (value: CapturedValue) =>
  typeof value === 'string' ? redactor.text(value) : redactor.value(value);

const hidden = { $type: 'redacted', of: 'string' } as const;

describe('a second redaction', () => {
  it.each([11, 12, 13])('changes no composed value and shows no hidden secret again, for seed %i', (seed) => {
    let hiddenCount = 0;
    for (let item = 0; item < repetitions({ usually: 200, thoroughly: 10_000 }); item++) {
      const { value, secrets } = composeValue(seed, item);
      const once = redact(value);
      const twice = redact(once);
      expect(twice, `item ${item}: ${JSON.stringify(value)}`).toEqual(once);
      const before = JSON.stringify(once);
      const hidden = [...secrets].filter((secret) => !before.includes(JSON.stringify(secret).slice(1, -1)));
      hiddenCount += hidden.length;
      const after = JSON.stringify(twice);
      expect(hidden.filter((secret) => after.includes(JSON.stringify(secret).slice(1, -1)))).toEqual([]);
    }
    expect(hiddenCount).toBeGreaterThan(100);
  });

  it.each<[value: CapturedValue]>([
    [['password', '/setpassword/ann/Sommer']],
    [{ password: '/setpassword/ann/sommer' }],
    [{ label: 'accountNumber', content: 'Authorization: Bearer abc123456' }],
    [
      [
        [
          'access_token',
          [
            ['DB_PASS', 'bd94'],
            ['passwd', 964_045],
            ['tokenId', '2899763465'],
          ],
        ],
      ],
    ],
    [
      [
        ['invite', '5e0df62a-0ffb-495f-99b5-6cadde9294b4'],
        ['senha', 'P1kV6DDleRpgduyritTG'],
      ],
    ],
    [['-p/setpassword/ann/Sommer', 'Das secret lautet „']],
    [{ tokens: ['Passwort', 164_100] }],
    [
      [
        ['auth', 501_955],
        ['status', 'active'],
      ],
    ],
    [{ senha: ['/invite/accept/x and id,contraseña\nann,sk_live_VcuFHmv7jxruwlVMqhxP2rPT\n'] }],
    [
      [
        ['signature', { id: `pw: ${'43e1be36'.repeat(5)} GET /orders 200` }],
        ['invite', 'x1'],
      ],
    ],
    [{ password: ['mot de passe', 'Your code is true'] }],
    [{ rawHeaders: ['Host', 'a', 'apiKey', "ALTER USER ada IDENTIFIED BY 'secret'"] }],
    [
      [
        ['auth', "ALTER USER ann IDENTIFIED BY 'x1'"],
        ['status', 'sk_live_VcuFHmv7jxruwlVMqhxP2rPT'],
      ],
    ],
  ])('does not change %j', (value) => {
    const once = redact(value);
    expect(redact(once)).toEqual(once);
  });
});

describe('a secret that only its neighbours reveal', () => {
  it.each(listPlanted('velvet'))(
    'is hidden in $value, in its JSON, and after a second redaction',
    ({ value, secret }) => {
      const once = redact(value);
      expect(JSON.stringify(once)).not.toContain(secret);
      expect(redact(once)).toEqual(once);
      expect(redact(JSON.stringify(value))).not.toContain(secret);
    },
  );

  it.each([31, 32])('is hidden in all composed values of seed %i, also by a second redaction', (seed) => {
    for (let item = 0; item < repetitions({ usually: 300, thoroughly: 10_000 }); item++) {
      const { value, secret } = composePlanted(seed, item);
      const label = `item ${item}: ${JSON.stringify(value)}`;
      const once = redact(value);
      expect(JSON.stringify(once), label).not.toContain(secret);
      expect(redact(once), label).toEqual(once);
    }
  });

  it('is hidden below a name such as `credentials` and beside a name that contains a key, but not beside a card number alone', () => {
    const key = 'sk_live_VcuFHmv7jxruwlVMqhxP2rPT';
    expect(
      redact({
        credentials: [
          [key, 'velvet'],
          ['harbour', 'lantern'],
        ],
      }),
    ).toEqual({
      credentials: [
        [hidden, hidden],
        [hidden, hidden],
      ],
    });
    expect(redact([[`password ${key}`, 'velvet']])).toEqual([['password ‹redacted›', hidden]]);
    expect(redact([4_111_111_111_111_111, 'velvet'])).toEqual([{ ...hidden, of: 'number' }, 'velvet']);
    expect(redact({ tokens: [4_111_111_111_111_111, 'velvet'] })).toEqual({
      tokens: { ...hidden, of: 'array' },
    });
  });

  it('is not assumed in the second pair of a list only because the first pair contains a secret', () => {
    expect(
      redact([
        ['authorization', 'Bearer abc123456'],
        ['host', 'a.example'],
      ]),
    ).toEqual([
      ['authorization', expect.anything()],
      ['host', 'a.example'],
    ]);
  });
});

it('if an argument of a command contains a secret, the next argument is not changed', () => {
  const shown = redact(['-phttps://a.example/cb#clientSecret=Tr0mbone!55', 'id,city\nann,Berlin\n']);
  expect(shown).toEqual([expect.not.stringContaining('Tr0mbone'), 'id,city\nann,Berlin\n']);
});
