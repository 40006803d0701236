import { pack } from '../bodies/pack.ts';
import { FULL_BYTES, fill, join, numbered, type Pieces, repeat } from '../bodies/pieces.ts';
import { post } from '../calls.ts';
import type { HostileForm } from '../form.ts';

const MB = 1024 * 1024;

function login(
  name: string,
  build: () => Pieces,
  path = '/api/auth/login',
  encoding?: 'gzip' | 'br',
): HostileForm {
  return {
    way: 'login',
    name: encoding === undefined ? name : `${name} (${encoding})`,
    async prepare() {
      const body = await pack(build(), encoding ?? 'identity');
      const headers = {
        'content-type': 'application/json',
        ...(encoding === undefined ? {} : { 'content-encoding': encoding }),
      };
      return (target, signal) => post(target, path, headers, body, signal);
    },
  };
}

const credentials = (email: Pieces | string, password: Pieces | string) =>
  join('{"email":"', email, '","password":"', password, '"}');

let addresses = 0;

/** Requests without a session, such as logins. */
export const LOGIN: readonly HostileForm[] = [
  {
    way: 'login',
    name: 'wrong passwords of addresses of their own',
    prepare: async () => (target, signal) => {
      addresses += 1;
      const body = JSON.stringify({ email: `a${addresses}@example.com`, password: 'wrong password' });
      return post(
        target,
        '/api/auth/login',
        { 'content-type': 'application/json' },
        Buffer.from(body),
        signal,
      );
    },
  },
  login('a password of 60 kB', () => credentials('nobody@example.com', repeat('p', 60_000))),
  login('a password of a megabyte', () => credentials('nobody@example.com', repeat('p', MB))),
  login('an address of a megabyte', () => credentials(repeat('a', MB), 'x')),
  login('an address of @ signs', () => credentials(repeat('a@', 30_000), 'x')),
  login('an address of dots', () => credentials(join('a@', repeat('a.', 30_000), '!'), 'x')),
  login('7.9 MB of lists', () => fill('[', 7.9 * MB)),
  login('8 MB of keys', () =>
    join(
      '{',
      numbered(600_000, (index) => `"k${index}":0,`),
      '"z":0}',
    ),
  ),
  login(
    '60 MB of lists',
    () => join(fill('[', FULL_BYTES / 2), fill(']', FULL_BYTES / 2)),
    undefined,
    'gzip',
  ),
  login('60 MB of empty objects', () => join('[', fill('{},'), '{}]'), undefined, 'br'),
  login(
    'a registration with a long password',
    () =>
      join(
        '{"name":"a","email":"x',
        repeat('a', 40),
        '@example.com","password":"',
        repeat('é', 30_000),
        '"}',
      ),
    '/api/auth/register',
  ),
  login(
    'a code of 900 kB',
    () => join('{"tempToken":"', repeat('t', 400_000), '","code":"', repeat('1', 400_000), '"}'),
    '/api/auth/2fa/verify-login',
  ),
  login(
    'a forgotten password of a long address',
    () => join('{"email":"', repeat('a', 900_000), '@example.com"}'),
    '/api/auth/password/forgot',
  ),
];
