import { createHash } from 'node:crypto';

/** The attributes that say who used the traced service, as OpenTelemetry calls them and called them. Of several the first is the request's user. */
export const USER_ID_NAMES = ['enduser.id', 'user.id', 'enduser.pseudo.id'] as const;

/** Hashes the id of a traced service's user where the id must not be stored: SHA-256 in hexadecimal digits. */
export function hashOfUser(user: string): string {
  return createHash('sha256').update(user).digest('hex');
}

/** The same of a row, as SQL. */
export const USER_HASH = 'lower(hex(SHA256(user_id)))';
