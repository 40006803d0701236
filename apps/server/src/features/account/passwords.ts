import { TEXTS } from '@throughline/contract';
import type { Clock } from '../../platform/clock.ts';
import type { ControlDb, ControlStore } from '../../platform/control-store/index.ts';
import { describeAddress } from '../../platform/countries.ts';
import { AppError } from '../../platform/http/errors.ts';
import type { Caller } from '../../platform/http/guard.ts';
import { createId, type UserId } from '../../platform/ids.ts';
import type { Logger } from '../../platform/log.ts';
import { limitNotice, type Mailer } from '../../platform/mail/index.ts';
import { createToken, hashToken } from '../../platform/start/secrets.ts';
import type { AccessTokens } from '../access-tokens/index.ts';
import type { Addresses } from '../addresses/index.ts';
import type { Actor, Audit } from '../audit/index.ts';
import { type Auth, hashPassword } from '../auth/index.ts';
import { findOrganizationId } from '../orgs/index.ts';
import { deletePendingLogins, insertReset, lockByEmail, takeReset, updatePassword } from './store.ts';

const LINK_MS = 60 * 60_000;

export interface Passwords {
  /** Changes the password and ends the user's other sessions. @throws AppError `wrong_password`, `too_many_requests`, `overloaded` */
  change(
    caller: Caller,
    actor: Actor,
    given: { currentPassword: string; newPassword: string },
  ): Promise<void>;
  /** In the background, mails the user a link for setting a new password. Does not reveal whether the account exists. */
  forgot(email: string): void;
  /** Sets a new password with the token of a mailed link. @throws AppError `reset_invalid`, `overloaded` */
  reset(given: { token: string; newPassword: string }, address: string): Promise<void>;
  /** Waits until the background work of `forgot` has finished. */
  close(): Promise<void>;
}

export function createPasswords(deps: {
  readonly control: ControlStore;
  readonly clock: Clock;
  readonly log: Logger;
  readonly accessTokens: AccessTokens;
  readonly addresses: Addresses;
  readonly auth: Auth;
  readonly audit: Audit;
  readonly mail: Mailer;
  readonly publicUrl: () => string;
}): Passwords {
  const { clock, addresses, auth, audit, mail } = deps;
  const { db } = deps.control;
  const background = new Set<Promise<void>>();

  /**
   * Stores the password, ends the user's sessions except the session `keep`, revokes the user's access tokens, and mails the user. Returns
   * a function that reports the ended sessions to all servers; call the function after the commit.
   */
  const put = async (
    tx: ControlDb,
    userId: UserId,
    passwordHash: string,
    actor: Actor,
    keep?: Caller['sessionId'],
  ) => {
    const user = await updatePassword(tx, userId, passwordHash);
    if (user === undefined) throw new AppError('not_found');
    await addresses.endLinks(tx, userId);
    await deletePendingLogins(tx, userId);
    await deps.accessTokens.revokeAll(tx, userId);
    const organizationId = await findOrganizationId(tx, userId);
    if (organizationId !== undefined) {
      await audit.record(tx, { organizationId, action: 'member.password_changed', actor });
    }
    await mail.send(tx, {
      to: user.email,
      name: user.name,
      subject: 'Your Throughline password was changed',
      paragraphs: [
        `The password of your account was just changed, from the IP address ${describeAddress(actor.address)}. All other sessions have ended, and all access tokens were revoked.`,
      ],
      note: 'If this was not you, set a new password now: choose "Forgot password?" on the login page.',
      ...limitNotice(user),
    });
    return auth.sessions.endAllIn(tx, userId, keep);
  };
  const sendLink = (email: string) =>
    db.transaction(async (tx) => {
      const found = await lockByEmail(tx, email);
      // If there is no account, runs the same statements for a user that does not exist. Otherwise the time that other requests wait for
      // the store would reveal whether the account exists.
      const user = found ?? { id: createId<UserId>(), name: 'Nobody' };
      const token = createToken();
      const isSent = await mail.send(tx, {
        to: email,
        isDecoy: found === undefined,
        name: user.name,
        subject: 'Set a new Throughline password',
        paragraphs: ['Somebody (hopefully you) requested a new password for your account.'],
        action: { label: 'Set a new password', url: `${deps.publicUrl()}/reset-password?token=${token}` },
        note: 'The link works once, for one hour. If you did not request it, ignore this email: your password does not change.',
        limit: { kind: 'passwordReset' },
      });
      if (!isSent) return;
      const now = clock.now();
      const staleBefore = new Date(now.getTime() - LINK_MS);
      await insertReset(tx, { tokenHash: hashToken(token), userId: user.id, now, staleBefore });
    });

  return {
    async change(caller, actor, { currentPassword, newPassword }) {
      await auth.checkPassword(caller, currentPassword, actor.address);
      const passwordHash = await hashPassword(newPassword);
      const tell = await db.transaction((tx) =>
        put(tx, caller.userId, passwordHash, actor, caller.sessionId),
      );
      await tell();
    },
    forgot(email) {
      const work = sendLink(email)
        .catch((err: unknown) =>
          deps.log.warn({ err }, 'the email with a link to set a new password could not be queued'),
        )
        .finally(() => background.delete(work));
      background.add(work);
    },
    async reset({ token, newPassword }, address) {
      const passwordHash = await hashPassword(newPassword);
      const tell = await db.transaction(async (tx) => {
        const madeAfter = new Date(clock.now().getTime() - LINK_MS);
        const userId = await takeReset(tx, hashToken(token), madeAfter);
        if (userId === undefined) throw new AppError('reset_invalid', TEXTS.passwordLinkInvalid);
        // Opening the link confirms the address. If the address had changed since the mail was sent, the link would no longer be valid.
        await addresses.markVerified(tx, userId);
        return put(tx, userId, passwordHash, { userId, address });
      });
      await tell();
    },
    async close() {
      await Promise.all(background);
    },
  };
}
