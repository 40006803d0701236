import { EMAIL_LINK_HOURS, TEXTS } from '@throughline/contract';
import type { Clock } from '../../platform/clock.ts';
import { type ControlDb, type ControlStore, violatesConstraint } from '../../platform/control-store/index.ts';
import { AppError } from '../../platform/http/errors.ts';
import type { UserId } from '../../platform/ids.ts';
import { limitNotice, type Mailer } from '../../platform/mail/index.ts';
import { createToken, hashToken } from '../../platform/start/secrets.ts';
import type { Actor, Audit } from '../audit/index.ts';
import { findOrganizationId } from '../orgs/index.ts';
import { buildChangedNotice, changeNotice, linkMail } from './mails.ts';
import {
  type AddressRow,
  deleteAddressLinks,
  deleteLinksToOthers,
  deletePasswordResets,
  findAddress,
  insertLink,
  isTaken,
  lockAddress,
  takeLink,
  updateAddress,
} from './store.ts';

const LINK_MS = EMAIL_LINK_HOURS * 3_600_000;

/** The email addresses of accounts. An address is confirmed once a link that was mailed to the address is opened. */
export interface Addresses {
  stateOf(userId: UserId): Promise<{ readonly emailVerified: boolean; readonly pendingEmail: string | null }>;
  /**
   * Mails a new account the link that confirms its address. If the address already got its maximum of mails, registration succeeds without
   * a mail.
   */
  welcome(tx: ControlDb, user: Pick<AddressRow, 'id' | 'email'>): Promise<void>;
  /** Confirms the user's address after the user has opened a link that was mailed to the address. */
  markVerified(tx: ControlDb, userId: UserId): Promise<void>;
  /**
   * Counts a request to change an address. Call this function before the response can reveal whether the new address is in use.
   * @throws AppError `too_many_requests`
   */
  countChange(userId: UserId): Promise<void>;
  /**
   * Mails the new address a link and informs the old address. Cancels a previous change that is not confirmed. Does nothing if the address
   * stays the same.
   * @throws AppError `email_taken`, `too_many_requests`
   */
  requestChange(tx: ControlDb, actor: Actor, email: string): Promise<void>;
  /** Mails the confirmation link again. @throws AppError `nothing_to_confirm`, `too_many_requests` */
  resend(userId: UserId): Promise<{ readonly email: string }>;
  cancelChange(actor: Actor): Promise<void>;
  /** Confirms the address to which the token was mailed. @throws AppError `email_link_invalid`, `email_taken` */
  confirm(token: string, address: string): Promise<{ readonly email: string }>;
  /**
   * Call after the password changed. Deletes the user's password reset links, and the links that confirm a new address: somebody with
   * the old password could have requested a new address. The link that confirms the current address stays valid.
   */
  endLinks(tx: ControlDb, userId: UserId): Promise<void>;
}

export function createAddresses(deps: {
  readonly control: ControlStore;
  readonly clock: Clock;
  readonly audit: Audit;
  readonly mail: Mailer;
  readonly publicUrl: () => string;
}): Addresses {
  const { clock, mail } = deps;
  const { db } = deps.control;

  const since = () => new Date(clock.now().getTime() - LINK_MS);
  const lock = async (tx: ControlDb, userId: UserId): Promise<AddressRow> => {
    const user = await lockAddress(tx, userId);
    if (user === undefined) throw new AppError('not_found');
    return user;
  };
  const find = async (from: ControlDb, userId: UserId) => {
    const found = await findAddress(from, userId, since());
    if (found === undefined) throw new AppError('not_found');
    return found;
  };
  const record = async (
    tx: ControlDb,
    actor: Actor,
    action: 'member.email_change_requested' | 'member.email_change_cancelled' | 'member.email_changed',
    target: string,
  ) => {
    const organizationId = await findOrganizationId(tx, actor.userId);
    if (organizationId !== undefined) await deps.audit.record(tx, { organizationId, action, actor, target });
  };
  const sendLink = async (
    tx: ControlDb,
    user: Pick<AddressRow, 'id' | 'email'>,
    email: string,
    sender?: UserId,
  ) => {
    const token = createToken();
    await insertLink(tx, {
      tokenHash: hashToken(token),
      userId: user.id,
      email,
      now: clock.now(),
      staleBefore: since(),
    });
    const url = `${deps.publicUrl()}/verify-email?token=${token}`;
    await mail.send(tx, {
      ...linkMail({ to: email, url, isNew: email !== user.email }),
      limit: { kind: 'verification', ...(sender === undefined ? {} : { sender }) },
    });
  };

  return {
    async stateOf(userId) {
      const { emailVerifiedAt, pending } = await find(db, userId);
      return { emailVerified: emailVerifiedAt !== null, pendingEmail: pending };
    },
    async welcome(tx, user) {
      try {
        await tx.transaction((inner) => sendLink(inner, user, user.email, user.id));
      } catch (error) {
        if (!(error instanceof AppError) || error.code !== 'too_many_requests') throw error;
      }
    },
    async markVerified(tx, userId) {
      const user = await lock(tx, userId);
      if (user.emailVerifiedAt === null) await updateAddress(tx, userId, user.email, clock.now());
    },
    countChange: (userId) => mail.count(db, 'verification', { sender: userId }),
    async requestChange(tx, actor, email) {
      const user = await lock(tx, actor.userId);
      if (email === user.email) return;
      if (await isTaken(tx, email)) throw new AppError('email_taken', TEXTS.emailTaken);
      await deleteLinksToOthers(tx, user.id, user.email);
      await sendLink(tx, user, email);
      await mail.send(tx, { ...changeNotice(user, email), ...limitNotice(user) });
      await record(tx, actor, 'member.email_change_requested', email);
    },
    resend: (userId) =>
      db.transaction(async (tx) => {
        const user = await lock(tx, userId);
        const { pending } = await find(tx, userId);
        if (pending === null && user.emailVerifiedAt !== null) throw new AppError('nothing_to_confirm');
        const email = pending ?? user.email;
        await sendLink(tx, user, email, userId);
        return { email };
      }),
    cancelChange: (actor) =>
      db.transaction(async (tx) => {
        const user = await lock(tx, actor.userId);
        const { pending } = await find(tx, user.id);
        await deleteLinksToOthers(tx, user.id, user.email);
        if (pending !== null) await record(tx, actor, 'member.email_change_cancelled', pending);
      }),
    async confirm(token, address) {
      try {
        return await db.transaction(async (tx) => {
          const link = await takeLink(tx, hashToken(token), since());
          if (link === undefined) throw new AppError('email_link_invalid', TEXTS.emailLinkInvalid);
          const { userId, email } = link;
          const user = await lock(tx, userId);
          await updateAddress(tx, userId, email, clock.now());
          if (email === user.email) return { email };
          await deleteAddressLinks(tx, userId);
          await deletePasswordResets(tx, userId);
          await mail.send(tx, { ...buildChangedNotice(user, email), ...limitNotice(user) });
          await record(tx, { userId, address }, 'member.email_changed', `${user.email} to ${email}`);
          return { email };
        });
      } catch (error) {
        if (violatesConstraint(error, 'users_email'))
          throw new AppError('email_taken', TEXTS.emailTakenMeanwhile);
        throw error;
      }
    },
    async endLinks(tx, userId) {
      const user = await lock(tx, userId);
      await deletePasswordResets(tx, userId);
      await deleteLinksToOthers(tx, userId, user.email);
    },
  };
}
