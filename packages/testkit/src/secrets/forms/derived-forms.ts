import type { Placed } from '../item.ts';
import { ALNUM, base64, HEX, type Random } from '../random.ts';
import { plainSecret, USERS } from './secret-texts.ts';

export interface Derived {
  readonly secret: string;
  readonly place: readonly Placed[];
}

/**
 * Secrets that a name hides at one place of the trace, and that are in it once more: where the program took the hidden value apart, or passed
 * it on without its name.
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
};
