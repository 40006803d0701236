import { hash, verify } from '@node-rs/argon2';

/** OWASP's first recommendation for argon2id: 19 MiB, 2 passes, 1 lane. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

/** argon2id in its own notation. The same letters typed on another system are the same password (NFC). */
export function hashPassword(password: string): Promise<string> {
  return hash(password.normalize('NFC'), COST);
}

/** What no password matches, at the cost of a true one: an unknown account takes as long as a known one. */
let decoy: Promise<string> | undefined;

/** Whether the password is the one; `passwordHash` undefined (there is no such account) is never. */
export async function passwordMatches(password: string, passwordHash: string | undefined): Promise<boolean> {
  decoy ??= hashPassword(crypto.randomUUID());
  const matches = await verify(passwordHash ?? (await decoy), password.normalize('NFC'));
  return matches && passwordHash !== undefined;
}
