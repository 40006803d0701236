import type { CapturedValue } from '@throughline/contract/values';
import { createRandom, type Random } from '../random.ts';
import { composeName } from './texts.ts';

/** A captured value, and a secret in it that redaction has to hide. */
export interface PlantedValue {
  readonly value: CapturedValue;
  readonly secret: string;
}

/** Keys for pairs of a key and a secret. Redaction hides the keys, too, because each key has the form of a secret. */
const SECRET_KEYS: readonly string[] = [
  'AKIAIOSFODNN7EXAMPLE',
  'sk_live_VcuFHmv7jxruwlVMqhxP2rPT',
  'ghp_abcdefghijklmnopqrstuvwxyz0123456789',
  'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abcDEF0123456789abcd',
  '4111111111111111',
];
const LONG_HEADINGS: readonly string[] = [
  'identifier_of_the_customer_account',
  '5e0df62a-0ffb-495f-99b5-6cadde9294b4',
];
const STATEMENT_NAMES: readonly string[] = [
  ...['passwordQuery', 'auth', 'token', 'setPassword', 'resetPasswordSql'],
  ...['credentials', 'PASSWORD_SQL', 'apiKeyQuery', 'verifyPassword'],
];
const PARAMETERS: readonly string[] = ['params', 'values', 'bindings'];
const STATEMENT = 'UPDATE users SET password = $1 WHERE id = $2';

/** Functions that build a value in which only a name, a heading or a statement next to a word shows that the word is a secret. */
const FORMS = {
  pair: (secret: string, key: string): CapturedValue => ({ credentials: [[key, secret]] }),
  'deeper pair': (secret: string, key: string): CapturedValue => ({ credentials: { list: [[key, secret]] } }),
  'pair with an object': (secret: string, key: string): CapturedValue => ({
    credentials: [[key, { a: secret }]],
  }),
  table: (secret: string, heading: string): CapturedValue => [
    [heading, 'password'],
    ['ann', secret],
  ],
  'swapped table': (secret: string, heading: string): CapturedValue => [
    ['password', heading],
    [secret, 'ann'],
  ],
  'wide table': (secret: string, heading: string): CapturedValue => [
    ['id', heading, 'password'],
    [1, 'ann', secret],
  ],
  statement: (secret: string, name: string, parameters: string): CapturedValue => ({
    [name]: STATEMENT,
    [parameters]: [secret, 7],
  }),
  'cut statement': (secret: string, name: string, parameters: string): CapturedValue => ({
    [name]: `${STATEMENT} -- ${'x'.repeat(300)}`,
    [parameters]: [secret, 7],
  }),
  template: (secret: string, name: string, parameters: string): CapturedValue => ({
    [name]: ['UPDATE users SET password = ', ' WHERE id = ', ''],
    [parameters]: [secret, 7],
  }),
} as const;

/** Functions that build a value with fixed names around the secret. */
const FIXED: readonly ((secret: string) => CapturedValue)[] = [
  (secret) => ['SET', 'user:7:token', secret],
  (secret) => ['SETEX', 'otp:ada', '60', secret],
  (secret) => ['HSET', 'user:7', 'password', secret],
  (secret) => ['MSET', 'user:7:token', secret],
  (secret) => ['CONFIG', 'SET', 'requirepass', secret],
  (secret) => ['ACL', 'SETUSER', 'ada', 'on', `>${secret}`],
  (secret) => [
    ['user', 'pass phrase is hunter2'],
    ['ann', secret],
  ],
  (secret) => [
    ['id', 'name', 'the password is hunter2'],
    [1, 'ann', secret],
  ],
  (secret) => ({ message: `login with ada / ${secret}` }),
  (secret) => ({ line: `EXEC sp_addlogin 'ada', '${secret}'` }),
  (secret) => ({ query: `UPDATE users SET password = $1 WHERE id = $2; "${secret}", 7` }),
  (secret) => ({ command: 'AUTH', args: ['ada', secret] }),
];

const LOGINS: readonly ((secret: string, user: string) => CapturedValue)[] = [
  (secret, user) => ({ command: ['AUTH', user], args: [secret] }),
  (secret, user) => ({ statement: ['AUTH', user], values: [secret] }),
  (secret, user) => [['AUTH', user], [secret]],
];

/**
 * Builds a value with each function of `FORMS` for each suitable name or heading, and a value with each function of `FIXED` and `LOGINS`.
 */
export function listPlanted(secret: string): readonly PlantedValue[] {
  const values: CapturedValue[] = [];
  for (const key of SECRET_KEYS)
    values.push(
      FORMS.pair(secret, key),
      FORMS['deeper pair'](secret, key),
      FORMS['pair with an object'](secret, key),
    );
  for (const heading of LONG_HEADINGS) values.push(FORMS['swapped table'](secret, heading));
  for (const heading of [...LONG_HEADINGS, ...SECRET_KEYS])
    values.push(FORMS.table(secret, heading), FORMS['wide table'](secret, heading));
  for (const name of STATEMENT_NAMES)
    for (const parameters of PARAMETERS)
      values.push(
        FORMS.statement(secret, name, parameters),
        FORMS['cut statement'](secret, name, parameters),
        FORMS.template(secret, name, parameters),
      );
  for (const form of FIXED) values.push(form(secret));
  for (const login of LOGINS)
    for (const user of ['default', 'a', ...SECRET_KEYS]) values.push(login(secret, user));
  return values.map((value) => ({ value, secret }));
}

/** Words whose own form does not show that they are secrets. */
const WORDS: readonly string[] = ['velvet', 'lantern', 'harbour', 'elephant', 'trombone'];

/**
 * The stream of random numbers that `composePlanted` uses. Other generators use other streams, so that equal seeds give different choices.
 */
const STREAM = 78;

/** Picks one of the values of `listPlanted` for a random word. Nests the picked value in another value in half of the cases. */
export function composePlanted(seed: number, item: number): PlantedValue {
  const random = createRandom(seed, item, STREAM);
  const secret = random.pick(WORDS);
  const { value } = random.pick(listPlanted(secret));
  return { value: random.chance(0.5) ? value : surround(random, value), secret };
}

function surround(random: Random, value: CapturedValue): CapturedValue {
  return random.pick<() => CapturedValue>([
    () => ({ note: 'a', list: [value] }),
    () => ({ [composeName(random)]: value }),
    () => [value, { id: 7 }],
    () => ({ $type: 'Map', size: 1, entries: [[composeName(random), value]] }),
  ])();
}
