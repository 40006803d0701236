import { type Client, routes, type User } from '@throughline/contract';
import type { TestServer } from '../server.ts';

/** A signed-in person. */
export interface Person {
  readonly user: User;
  readonly email: string;
  readonly password: string;
  readonly token: string;
  readonly client: Client;
}

let people = 0;

/** Registers a new solo account. */
export async function signUp(
  server: TestServer,
  given: { readonly name?: string; readonly email?: string; readonly password?: string } = {},
): Promise<Person> {
  people += 1;
  const body = {
    name: given.name ?? `Person ${people}`,
    email: given.email ?? `person-${people}-${process.pid}@test.example`,
    password: given.password ?? 'correct horse',
  };
  const { user, token } = await server.anyone.call(routes.auth.registerSolo, { body });
  return { user, token, email: body.email, password: body.password, client: server.as(token) };
}

/** Creates an access token of a person. Returns a client with the token. */
export async function createAccessToken(
  server: TestServer,
  person: Person,
  name = 'terminal',
): Promise<{ readonly id: string; readonly token: string; readonly client: Client }> {
  const { accessToken, token } = await person.client.call(routes.accessTokens.create, {
    body: { name, days: 7 },
  });
  return { id: accessToken.id, token, client: server.as(token) };
}

/** Logs in to an existing account. */
export async function logIn(server: TestServer, email: string, password: string): Promise<Person> {
  const answer = await server.anyone.call(routes.auth.login, { body: { email, password } });
  if (!('token' in answer)) throw new Error('The login asks for a second factor.');
  const { user, token } = answer;
  return { user, token, email, password, client: server.as(token) };
}
