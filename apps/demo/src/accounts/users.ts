import type { Database } from '../database/database.ts';
import { readEmail, readFields, readText } from '../input.ts';
import { Refusal } from '../refusal.ts';
import { CUSTOMER_COLUMNS, type Customer } from './customer.ts';
import { hashPassword } from './passwords.ts';

export async function listUsers(database: Database, limit: number): Promise<Customer[]> {
  return await database.query<Customer>(
    `SELECT ${CUSTOMER_COLUMNS} FROM users ORDER BY id DESC LIMIT $1`,
    limit,
  );
}

export async function findUser(database: Database, id: number): Promise<Customer> {
  const [user] = await database.query<Customer>(`SELECT ${CUSTOMER_COLUMNS} FROM users WHERE id = $1`, id);
  if (user === undefined) throw new Refusal(404, `There is no user ${id}`);
  return user;
}

/** Registers a customer. Rejects an invalid field (400) and an email address that is already registered (409). */
export async function createUser(database: Database, body: unknown): Promise<Customer> {
  const registration = readRegistration(body);
  const passwordHash = await hashPassword(registration.password);
  const [user] = await database.query<Customer>(
    `INSERT INTO users (name, email, password_hash, country) VALUES ($1, $2, $3, $4)
     ON CONFLICT (email) DO NOTHING RETURNING ${CUSTOMER_COLUMNS}`,
    ...[registration.name, registration.email, passwordHash, registration.country],
  );
  if (user === undefined) throw new Refusal(409, 'This e-mail address is registered already');
  return user;
}

function readRegistration(body: unknown) {
  const fields = readFields(body);
  const registration = {
    name: readText(fields.name, 'name'),
    email: readEmail(fields.email, 'email'),
    password: readText(fields.password, 'password'),
    country: readText(fields.country, 'country', 2),
  };
  if (registration.password.length < 8) throw new Refusal(400, 'password must be at least 8 characters long');
  return registration;
}
