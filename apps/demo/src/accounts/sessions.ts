import { createHash, randomBytes } from 'node:crypto';
import { setUser } from '@throughline/node';
import type { Database } from '../database/database.ts';
import { readEmail, readFields, readText } from '../input.ts';
import { Refusal } from '../refusal.ts';
import { CUSTOMER_COLUMNS, type Customer } from './customer.ts';
import { verifyPassword } from './passwords.ts';

/** Signs a customer in. The error (401) does not reveal whether the address or the password is wrong. */
export async function signIn(database: Database, body: unknown): Promise<{ token: string; name: string }> {
  const fields = readFields(body);
  const email = readEmail(fields.email, 'email');
  const password = readText(fields.password, 'password');
  const [account] = await database.query<{ id: number; name: string; passwordHash: string }>(
    'SELECT id, name, password_hash AS "passwordHash" FROM users WHERE email = $1',
    email,
  );
  if (account === undefined || !(await verifyPassword(password, account.passwordHash))) {
    throw new Refusal(401, 'Wrong e-mail address or password');
  }
  const token = randomBytes(24).toString('base64url');
  await database.query('INSERT INTO sessions (token, user_id) VALUES ($1, $2)', token, account.id);
  setUser({ id: account.id, name: account.name, sessionId: nameSession(token) });
  return { token, name: account.name };
}

/** Derives a name for the session from its token. The name does not grant access. */
export function nameSession(token: string): string {
  return createHash('sha256').update(token).digest('hex').slice(0, 16);
}

export async function findSession(database: Database, token: string): Promise<Customer> {
  const [customer] = await database.query<Customer>(
    `SELECT ${CUSTOMER_COLUMNS} FROM sessions JOIN users ON users.id = sessions.user_id WHERE token = $1`,
    token,
  );
  if (customer === undefined) throw new Refusal(401, 'Sign in first');
  return customer;
}
