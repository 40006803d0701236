import { readId, type UserId } from '../../platform/ids.ts';
import type { Sealer } from '../../platform/start/secrets.ts';

const PLACE = 'unsubscribe';

/** Builds the token of a link that turns a user's digest off. The token does not expire, since links in old mails must still work. */
export function createUnsubscribeToken(sealer: Sealer, userId: UserId): string {
  return Buffer.from(sealer.seal(userId, PLACE), 'base64').toString('base64url');
}

/** Returns the user of a token; undefined if the token is invalid. */
export function readUnsubscribeToken(sealer: Sealer, token: string): UserId | undefined {
  const sealed = Buffer.from(token, 'base64url').toString('base64');
  const text = sealer.tryOpen(sealed, PLACE);
  return text === undefined ? undefined : readId<UserId>(text);
}
