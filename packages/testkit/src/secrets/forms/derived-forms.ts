import { createHash, createHmac } from 'node:crypto';
import type { Placed } from '../item.ts';
import { ALNUM, base64, HEX, type Random } from '../random.ts';
import { plainSecret, USERS } from './secret-texts.ts';

export interface Derived {
  readonly secret: string;
  readonly place: readonly Placed[];
}

/**
 * Returns a function that generates a body with a named password, and a variable with an unrelated name whose value is computed from the
 * password.
 */
function computed(
  compute: (password: string) => string,
  computeSecret = compute,
  chooseSecret: (random: Random) => string = plainSecret,
): (random: Random) => Derived {
  return (random) => {
    const password = chooseSecret(random);
    return {
      secret: computeSecret(password),
      place: [
        { where: 'request.body', value: { mail: 'ada@example.com', password } },
        { where: 'step.variables.localVariables', value: { input: compute(password) } },
      ],
    };
  };
}

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
const alnum = (length: number) => (random: Random) => random.chars(ALNUM, length);

/**
 * Secrets that occur twice in a trace. In one place, the name shows that the value is a secret. In the other place, the value has no such
 * name, because the program split the value, converted the value or passed the value on.
 */
export const DERIVED_FORMS: Readonly<Record<string, (random: Random) => Derived>> = {
  'decoded basic credentials': (random) => {
    const secret = plainSecret(random);
    const pair = `${random.pick(USERS)}:${secret}`;
    return {
      secret,
      place: [
        { where: 'request.headers', value: { authorization: `Basic ${base64(pair)}` } },
        { where: 'step.outputs', value: pair },
      ],
    };
  },
  'decoded basic credentials, as a pair': (random) => {
    const secret = plainSecret(random);
    const user = random.pick(USERS);
    return {
      secret,
      place: [
        { where: 'request.headers', value: { authorization: `Basic ${base64(`${user}:${secret}`)}` } },
        { where: 'step.variables.localVariables', value: { parts: [user, secret] } },
      ],
    };
  },
  'parts of a hidden hash': (random) => {
    const salt = random.chars(HEX, 32);
    const secret = random.chars(HEX, 64);
    return {
      secret,
      place: [
        { where: 'step.variables.parameters', value: { user: 'ada', passwordHash: `${salt}:${secret}` } },
        { where: 'step.variables.localVariables', value: { salt, key: secret } },
      ],
    };
  },
  'argument without the name that the body gave': (random) => {
    const secret = plainSecret(random);
    return {
      secret,
      place: [
        { where: 'request.body', value: { mail: 'ada@example.com', password: secret } },
        { where: 'step.inputs', value: secret },
      ],
    };
  },
  'token split off its header': (random) => {
    const secret = random.chars(ALNUM, 40);
    return {
      secret,
      place: [
        { where: 'request.headers', value: { authorization: `Bearer ${secret}` } },
        { where: 'step.variables.localVariables', value: { scheme: 'Bearer', value: secret } },
      ],
    };
  },
  'cookie split off its header': (random) => {
    const secret = random.chars(ALNUM, 32);
    return {
      secret,
      place: [
        { where: 'request.headers', value: { cookie: `theme=dark; sid=${secret}` } },
        { where: 'step.outputs', value: ['theme', 'dark', 'sid', secret] },
      ],
    };
  },
  'message with a value that the body named': (random) => {
    const secret = plainSecret(random);
    return {
      secret,
      place: [
        { where: 'request.body', value: { mail: 'ada@example.com', newPassword: secret } },
        { where: 'step.error.message', value: `could not store ${secret} for ada@example.com` },
      ],
    };
  },
  'return value that the answer names': (random) => {
    const secret = random.chars(ALNUM, 48);
    return {
      secret,
      place: [
        { where: 'response.body', value: { user: 'ada', accessToken: secret } },
        { where: 'step.variables.returnValue', value: secret },
      ],
    };
  },
  'bound parameter of a named column': (random) => {
    const secret = plainSecret(random);
    return {
      secret,
      place: [
        { where: 'request.body', value: { password: secret } },
        {
          where: 'step.metadata',
          value: {
            sql: 'INSERT INTO accounts (mail, password) VALUES ($1, $2)',
            values: ['ada@example.com', secret],
          },
        },
      ],
    };
  },
  'hidden value in base64': computed(base64),
  'hidden value in base64, with others': computed(
    (password) => base64(`ada:${password}:7`),
    (password) => base64(`ada:${password}:7`).slice(8, -4),
  ),
  'hidden value in hexadecimal digits': computed((password) => Buffer.from(password).toString('hex')),
  'hidden value in a URL': computed(
    (password) => `https://example.com/?q=${encodeURIComponent(`p/${password}`)}`,
    (password) => password,
  ),
  'hidden value backwards': computed((password) => [...password].reverse().join('')),
  'first half of a hidden value': computed((token) => token.slice(0, 20), undefined, alnum(40)),
  'second half of a hidden value': computed((token) => token.slice(20), undefined, alnum(40)),
  'part of a hidden value that dots part': computed(
    (token) => token.split('.')[1] ?? '',
    undefined,
    (random) => [8, 24, 16].map((length) => random.chars(ALNUM, length)).join('.'),
  ),
  'digest under a name that says so': (random) => {
    const password = plainSecret(random);
    const secret = sha256(password);
    return {
      secret,
      place: [
        { where: 'request.body', value: { password } },
        { where: 'step.variables.localVariables', value: { passwordHash: secret } },
      ],
    };
  },
};

/**
 * Digests of a redacted value under an unrelated name. Redaction cannot distinguish these digests from checksums, and does not have to hide
 * them. Tests only count the digests.
 */
export const UNTELLABLE_FORMS: Readonly<Record<string, (random: Random) => Derived>> = {
  'digest under an ordinary name': computed(sha256),
  'digest in base64 under an ordinary name': computed((password) =>
    createHash('sha256').update(password).digest('base64'),
  ),
  'HMAC under an ordinary name': computed((password) =>
    createHmac('sha256', 'k').update(password).digest('hex'),
  ),
};
