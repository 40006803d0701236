import {
  ACCESS_TOKEN_LENGTH,
  ACCESS_TOKEN_PREFIX,
  type AccessToken,
  type AccessTokenDays,
  MAX_ACCESS_TOKENS,
} from '@throughline/contract';
import type { Clock } from '../../platform/clock.ts';
import type { ControlDb, ControlStore } from '../../platform/control-store/index.ts';
import { describeAddress } from '../../platform/countries.ts';
import { AppError } from '../../platform/http/errors.ts';
import type { Caller } from '../../platform/http/guard.ts';
import { type AccessTokenId, createId, readId, type UserId } from '../../platform/ids.ts';
import { formatNameInMail, limitNotice, type Mailer } from '../../platform/mail/index.ts';
import { createRandomBase62, hashToken } from '../../platform/start/secrets.ts';
import type { Actor, Audit } from '../audit/index.ts';
import {
  type AccessTokenRow,
  countValidTokens,
  deleteExpiredTokens,
  deleteToken,
  deleteTokens,
  findTokens,
  findValidToken,
  hasSession,
  insertToken,
  lockUser,
  touchToken,
} from './store.ts';

const DAY_MS = 86_400_000;
/** Minimum time between two updates of the stored time of a token's last use. */
const USED_STEP_MS = 60_000;
/** Expired tokens are listed for this long, so that users see why a program stopped working. */
const LIST_EXPIRED_MS = 30 * DAY_MS;

export interface AccessTokenService {
  /** @throws AppError `invalid_access_token` if the token is unknown, revoked or expired */
  open(token: string): Promise<Caller>;
  list(userId: UserId): Promise<AccessToken[]>;
  /** Creates a token, of which only the hash is stored, and mails the user. @throws AppError `too_many_access_tokens`, `unauthenticated` */
  create(
    caller: Caller,
    actor: Actor,
    given: { readonly name: string; readonly days: AccessTokenDays },
  ): Promise<{ readonly accessToken: AccessToken; readonly token: string }>;
  /** @throws AppError `not_found` */
  revoke(caller: Caller, actor: Actor, id: string): Promise<void>;
  /** Revokes all access tokens of a user. The caller has ended the user's sessions, or ends them in the same transaction. */
  revokeAll(tx: ControlDb, userId: UserId): Promise<void>;
  /** Deletes tokens that expired more than `LIST_EXPIRED_MS` before `now`; such tokens are no longer listed. */
  deleteExpired(now: Date): Promise<void>;
}

/**
 * Tokens with which a program can read what its user can read. A token expires at a fixed time, and stays valid when its user's sessions
 * end.
 */
export function createAccessTokenService(deps: {
  readonly control: ControlStore;
  readonly clock: Clock;
  readonly audit: Audit;
  readonly mail: Mailer;
}): AccessTokenService {
  const { clock, audit, mail } = deps;
  const { db } = deps.control;
  /** Records an action in the audit log of the user's organization. Solo users have no audit log. */
  const record = async (
    tx: ControlDb,
    { organization }: Caller,
    actor: Actor,
    action: 'member.access_token_created' | 'member.access_token_revoked',
    target: string,
  ) => {
    if (organization === null) return;
    await audit.record(tx, { organizationId: organization.id, action, actor, target });
  };

  return {
    async open(token) {
      const now = clock.now();
      const row = await findValidToken(db, hashToken(token), now);
      if (row === undefined) throw new AppError('invalid_access_token');
      if (row.lastUsedAt === null || now.getTime() - row.lastUsedAt.getTime() >= USED_STEP_MS) {
        await touchToken(db, row.id, now);
      }
      const { organizationId, role } = row;
      const organization = organizationId === null || role === null ? null : { id: organizationId, role };
      return {
        userId: row.userId,
        email: row.email,
        sessionId: row.id,
        authenticatedAt: row.createdAt,
        userType: organization === null ? 'solo' : 'organization_member',
        organization,
      };
    },
    async list(userId) {
      const now = clock.now();
      return (await findTokens(db, userId)).map((row) => describeToken(row, now));
    },
    async create(caller, actor, { name, days }) {
      const now = clock.now();
      const token = ACCESS_TOKEN_PREFIX + createRandomBase62(ACCESS_TOKEN_LENGTH);
      const row = {
        id: createId<AccessTokenId>(),
        name,
        createdAt: now,
        expiresAt: new Date(now.getTime() + days * DAY_MS),
        lastUsedAt: null,
      };
      await db.transaction(async (tx) => {
        const { userId } = caller;
        const user = await lockUser(tx, userId);
        // The session can have ended since it was checked: for example, the user changed the password to lock out a thief of the session.
        if (user === undefined || !(await hasSession(tx, caller.sessionId)))
          throw new AppError('unauthenticated');
        if ((await countValidTokens(tx, userId, now)) >= MAX_ACCESS_TOKENS) {
          throw new AppError('too_many_access_tokens', undefined, {
            details: { limit: MAX_ACCESS_TOKENS, used: MAX_ACCESS_TOKENS },
          });
        }
        await insertToken(tx, { ...row, userId, tokenHash: hashToken(token) });
        await record(tx, caller, actor, 'member.access_token_created', name);
        await mail.send(tx, {
          to: user.email,
          name: user.name,
          subject: 'An access token was created for your account',
          paragraphs: [
            `An access token with the name "${formatNameInMail(name)}" was just created, from the IP address ${describeAddress(actor.address)}. With this token, a program can read your projects for ${days} days.`,
          ],
          note: 'If this was not you, change your password: that revokes all access tokens and ends all other sessions.',
          ...limitNotice(user),
        });
      });
      return { accessToken: describeToken(row, now), token };
    },
    async revoke(caller, actor, given) {
      const id = readId<AccessTokenId>(given);
      await db.transaction(async (tx) => {
        const name = id === undefined ? undefined : await deleteToken(tx, caller.userId, id);
        if (name === undefined) throw new AppError('not_found');
        await record(tx, caller, actor, 'member.access_token_revoked', name);
      });
    },
    async revokeAll(tx, userId) {
      // Waits until a concurrent `create` has stored its token. Otherwise that token would not be deleted.
      await lockUser(tx, userId);
      await deleteTokens(tx, userId);
    },
    deleteExpired: (now) => deleteExpiredTokens(db, new Date(now.getTime() - LIST_EXPIRED_MS)),
  };
}

function describeToken(
  { id, name, createdAt, expiresAt, lastUsedAt }: AccessTokenRow,
  now: Date,
): AccessToken {
  return {
    id,
    name,
    createdAt: createdAt.toISOString(),
    expiresAt: expiresAt.toISOString(),
    expired: expiresAt <= now,
    lastUsedAt: lastUsedAt?.toISOString() ?? null,
  };
}
