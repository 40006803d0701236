import { describe, expect, it } from 'vitest';
import type { CapturedValue } from '../../values.ts';
import { Redactor } from '../redactor.ts';

const redactor = new Redactor();
const redact = (value: CapturedValue) =>
  typeof value === 'string' ? redactor.text(value) : redactor.value(value);

describe('a secret below a name that also has other senses', () => {
  it.each<[value: CapturedValue, secret: string]>([
    [{ token: { value: 'swordfish', expiresAt: '2026-01-04' } }, 'swordfish'],
    [{ token: { key: 'swordfish' } }, 'swordfish'],
    [{ token: { type: 'bearer', value: 'swordfish' } }, 'swordfish'],
    [{ tokens: ['swordfish'] }, 'swordfish'],
    [{ tokens: { access: 'swordfish', refresh: 'sunshine' } }, 'sunshine'],
    [{ tokens: { a: 'swordfish' } }, 'swordfish'],
    [{ tokens: { alice: 'swordfish', bob: 'bluefish' } }, 'bluefish'],
    ['{"tokens":{"a":"swordfish"}}', 'swordfish'],
    [{ card: { code: 123 } }, '123'],
    [{ card: { code: '123', brand: 'visa' } }, '123'],
    [{ passwords: [{ name: 'smtp', current: 'sunshine' }] }, 'sunshine'],
    [{ passwords: [{ name: 'smtp', old: 'sunshine' }] }, 'sunshine'],
    ['{"token":{"value":"swordfish"}}', 'swordfish'],
    ['{"tokens":["swordfish"]}', 'swordfish'],
    ['{"card":{"code":123}}', '123'],
    ["user { token: { value: 'swordfish' } }", 'swordfish'],
    ['pin: [4, 8, 2, 9]', '8, 2'],
    [{ user: 'ada', pass: 482913 }, '482913'],
    ['user: ada, pass: 482913', '482913'],
    ['password=#{9xQ!k2Lm', '9xQ!k2Lm'],
    ['password="$(9xQk2Lm"', '9xQk2Lm'],
    [{ password: 'My-Password' }, 'My-Password'],
    [{ password: 'x-secret' }, 'x-secret'],
    [{ cookie: 'mode=swordfish' }, 'swordfish'],
    [{ account: { routing_number: '021000021', account_number: '499462737189' } }, '499462737189'],
    ['account number 499462737189 not found', '499462737189'],
    [{ bankAccountNumber: '1234567' }, '1234567'],
    [{ bank_account_number: 1234567 }, '1234567'],
    [{ bankAccountNo: '12345' }, '12345'],
    [{ accountNumber: '12-3456789/0800' }, '3456789'],
    [{ accountNumber: '1234/567890' }, '567890'],
    [{ account_number: 'AB12345678' }, '12345678'],
    [{ accountNumber: '123456' }, '123456'],
    [{ accountNumber: 'AC-2024-0017' }, '2024'],
    [{ accountNumber: 'AC-9F8E7D6C' }, '9F8E'],
    [{ kontoNr: '12345-678/9' }, '678'],
    ['mi frase semilla es x7Kp2mQ9', 'x7Kp2mQ9'],
    [{ accountNumber: { current: 'AB12345678' } }, '12345678'],
    ['account number 19-2000145399/0800', '2000145399'],
    ['account number: AB12345678', '12345678'],
    ['bank account number 1234567', '1234567'],
    ['bank account number: 12345', '12345'],
    [{ pass: 482913, errors: 0 }, '482913'],
    [{ pass: 482913, total: 1 }, '482913'],
    [{ login: 'ada', pass: 4829, failed: 2 }, '4829'],
    ['pass: 482913, errors: 2', '482913'],
    ['user=ada pass=4829 total=3', '4829'],
    ['login=ada, pass=4829, fail=3', '4829'],
    [{ api: { key: 'harbor-42' } }, 'harbor-42'],
    ["PDO->__construct('mysql:host=db', 'root', 'Tr0mbone.55')", 'Tr0mbone.55'],
    ["mysqli_connect('localhost', 'shop', 'Pao.quente88')", 'Pao.quente88'],
  ])('is hidden: %j', (value, secret) => {
    expect(JSON.stringify(value)).toContain(secret);
    expect(JSON.stringify(redact(value))).not.toContain(secret);
  });
});

describe('an ordinary value below a name that also has other senses', () => {
  it.each<[value: CapturedValue]>([
    [{ token: { type: 'Identifier', value: 'swordfish', start: 4 } }],
    [{ card: { suit: 'hearts', value: 'king' } }],
    [{ card: { key: 'revenue', title: 'Revenue' } }],
    [{ lexer: { tokens: ['identifier', 'punctuator'] } }],
    ['{"token":{"type":"Identifier","value":"swordfish"}}'],
    [{ secrets: [{ name: 'SMTP_PASS', createdAt: '2026-01-04', status: 'active' }] }],
    [{ pass: 1508, fail: 2 }],
    [{ tests: { pass: 1508, failed: 0, skipped: 3 } }],
    ['pass: 1508, fail: 2'],
    ['{"fail":2,"pass":1508}'],
    [{ api: { code: 'ERR_1001' } }],
    [{ api: { code: 4041 } }],
    [{ api: { key: 'user-1001' } }],
    [{ tokens: { primary: 'midnight', ETH: 'ethereum' } }],
    [{ accountNumber: 10023 }],
    ['account number 10023 not found'],
    ['build failed at v1.2!Release'],
    ['x = 2*Width3 + a'],
    ['see Foo2Bar*Baz'],
    ['const a = "Version2!"'],
    ["connect('amqp', 'orders-v2')"],
    [{ cookie: 'theme=solarized-dark; cookieconsent_status=dismiss' }],
  ])('stays readable: %j', (value) => {
    expect(redact(value)).toEqual(value);
  });
});

it('a password with a * between letters is hidden in a text, but a product in a formula stays readable', () => {
  expect(redactor.text('Password of the search user:\n  QmTzkWLbra*c47oRtLdh')).not.toContain('QmTzkWLbra');
  expect(redactor.text('area = 2*HalfWidth3')).toBe('area = 2*HalfWidth3');
});

describe('a value is redacted by a name', () => {
  it.each<[value: CapturedValue, secret: string]>([
    [{ 'otp:482913': [4711] }, '4711'],
    [{ 'pin:4111111111111111': 'Rex' }, 'Rex'],
    [{ 'pin 482913': 4711 }, '4711'],
  ])('that contains a secret itself: %j', (value, secret) => {
    expect(JSON.stringify(redact(value))).not.toContain(secret);
  });

  it.each<[value: CapturedValue]>([
    [{ key: ['password', { user: 7 }], value: 'zx81-spectrum' }],
    [{ path: ['user', 'password', null], value: 'zx81-spectrum' }],
    [{ path: ['user', 'password', { $type: 'undefined' }], received: 'zx81-spectrum' }],
  ])('in a list whose last item is not a string: %j', (value) => {
    expect(JSON.stringify(redact(value))).not.toContain('zx81');
  });
});

describe('the path of a reference in a hidden value', () => {
  const find = (value: CapturedValue) => {
    const found = new Set<string>();
    redactor.collectSecrets(found, () => redactor.value(value));
    return [...found];
  };

  it('is not searched for in the rest of the trace, since its parts are names', () => {
    const reference = { $type: 'reference', path: ['localVariables', 'astNode'] } as const;
    expect(find({ password: [reference] })).toEqual([]);
    expect(find({ apiKeys: { id: 7, astNode: reference } })).toEqual([]);
  });

  it('does not prevent a text beside the reference from being searched for in the rest of the trace', () => {
    const reference = { $type: 'reference', path: ['localVariables', 'astNode'] } as const;
    expect(find({ password: [reference, 'zx81-spectrum-48k'] })).toContain('zx81-spectrum-48k');
  });
});
