import { createHash } from 'node:crypto';

/**
 * Attributes that identify the user of a traced service, under OpenTelemetry's current and former names. If a request has several, the
 * first in this list counts.
 */
export const USER_ID_NAMES = ['enduser.id', 'user.id', 'enduser.pseudo.id'] as const;

/** Hashes a user's id with SHA-256, in hex, for places where the id itself must not be stored. */
export function hashOfUser(user: string): string {
  return createHash('sha256').update(user).digest('hex');
}

/** SQL expression of {@link hashOfUser} for the user of a row. */
export const USER_HASH = 'lower(hex(SHA256(user_id)))';
