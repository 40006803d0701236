import type { CapturedValue } from '@throughline/contract';
import { base64, DIGITS, type Random } from '../random.ts';
import { codeSecret, plainSecret, quotedSecret, USERS } from './secret-texts.ts';

/** A value that contains a named secret. `secret` must not be readable after redaction. */
export interface NamedSecret {
  readonly value: CapturedValue;
  readonly secret: string;
}

export type NamedForm = (random: Random, name: string) => NamedSecret;

/** Returns a function that generates a data structure in which a secret is the value of the given name. */
function held(
  build: (name: string, secret: string, random: Random) => CapturedValue,
  chooseSecret: (random: Random) => string = quotedSecret,
): NamedForm {
  return (random, name) => {
    const secret = chooseSecret(random);
    return { secret, value: build(name, secret, random) };
  };
}

const map = (entries: readonly (readonly [CapturedValue, CapturedValue])[]): CapturedValue => ({
  $type: 'Map',
  size: entries.length,
  entries,
});

/** Data structures in which programs store a secret with its name. */
export const NAMED_VALUES: Readonly<Record<string, NamedForm>> = {
  object: held((name, secret, random) => ({ user: random.pick(USERS), [name]: secret })),
  'object, a second one': held((name, secret) => ({ id: 7, [name]: secret, active: true })),
  'object, nested': held((name, secret) => ({ config: { server: { auth: { [name]: secret } } } })),
  'object in an array': held((name, secret) => [{ id: 1 }, { id: 2, [name]: secret }]),
  'object in a Set': held((name, secret) => ({ $type: 'Set', size: 1, values: [{ [name]: secret }] })),
  'class instance': held((name, secret) => ({
    $type: 'object',
    class: 'Account',
    properties: { id: 7, [name]: secret },
  })),
  'object with a $type key of its own': held((name, secret) => ({
    $type: 'object',
    properties: { $type: 'Map', [name]: secret },
  })),
  Map: held((name, secret) =>
    map([
      ['user', 'ada'],
      [name, secret],
    ]),
  ),
  'Map in a Map': held((name, secret) => map([['outer', map([[name, secret]])]])),
  'Error property': held((name, secret) => ({
    $type: 'Error',
    class: 'HttpError',
    message: 'refused',
    properties: { config: { [name]: secret } },
  })),
  'Error cause': held((name, secret) => ({
    $type: 'Error',
    class: 'Error',
    message: 'refused',
    cause: { $type: 'Error', class: 'Error', message: 'inner', properties: { [name]: secret } },
  })),
  'list of pairs': held((name, secret) => [
    ['user', 'ada'],
    [name, secret],
  ]),
  'list of pairs, alone': held((name, secret) => [[name, secret]]),
  'name and value': held((name, secret) => ({ name, value: secret })),
  'name and value, in a list': held((name, secret) => [
    { name: 'user', value: 'ada' },
    { name, value: secret },
  ]),
  'key and value': held((name, secret) => ({ key: name, value: secret })),
  'key and value, value first': held((name, secret) => ({ value: secret, type: 'text', key: name })),
  'flat list of headers': held((name, secret) => ['Host', 'example.com', name, secret], plainSecret),
  'array under a name': held((name, secret, random) => ({ [name]: [plainSecret(random), secret] })),
  'object under a name': held((name, secret) => ({ [name]: { current: secret, since: '2026-01-01' } })),
  'Set under a name': held((name, secret) => ({ [name]: { $type: 'Set', size: 1, values: [secret] } })),
  'Map under a name': held((name, secret) => ({ [name]: map([['primary', secret]]) })),
  'number under a name': (random, name) => {
    const secret = codeSecret(random);
    return { secret, value: { [name]: Number(secret) } };
  },
  'BigInt under a name': (random, name) => {
    const secret = `9${random.chars(DIGITS, 20)}`;
    return { secret, value: { [name]: { $type: 'bigint', value: secret } } };
  },
  'Buffer under a name': (random, name) => {
    const secret = base64(plainSecret(random));
    return { secret, value: { [name]: { $type: 'Buffer', size: 24, base64: secret } } };
  },
  'cut text under a name': held((name, secret) => ({
    [name]: { $type: 'string', value: secret, length: 4000 },
  })),
  'object under a digit': held((name, secret) => ({ 0: { [name]: secret } })),
};
