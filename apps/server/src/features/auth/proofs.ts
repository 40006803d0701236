import { type ConfirmWith, RECENT_AUTHENTICATION_MINUTES, TEXTS } from '@throughline/contract';
import type { Clock } from '../../platform/clock.ts';
import type { ControlDb, ControlStore } from '../../platform/control-store/index.ts';
import { AppError } from '../../platform/http/errors.ts';
import type { Caller } from '../../platform/http/guard.ts';
import { buildReauthenticationError } from '../../platform/http/recent-authentication.ts';
import type { Logger } from '../../platform/log.ts';
import type { Actor, Audit } from '../audit/index.ts';
import type { TwoFactor } from '../two-factor/index.ts';
import { matchesPassword } from './passwords.ts';
import { confirmSession, findPasswordHash } from './store.ts';
import { countAttempt, TOO_MANY_CODES } from './throttle/attempts.ts';
import type { LoginThrottle } from './throttle/login-throttle.ts';

const RECENT_MS = RECENT_AUTHENTICATION_MINUTES * 60_000;
const TOO_MANY_PASSWORDS = 'Too many wrong passwords. Wait, then try again.';

/** Proofs of identity within a session: a stolen session must not suffice to take over the account. */
export interface Proofs {
  /** Returns how the caller must confirm their identity; undefined if the caller confirmed it recently. */
  confirmation(caller: Caller): Promise<ConfirmWith | undefined>;
  /** @throws AppError `wrong_password`, `too_many_requests`, `overloaded` */
  checkPassword(caller: Caller, password: string, address: string): Promise<void>;
  /**
   * Checks the password or code, then marks the session as recently authenticated.
   * @throws AppError `reauthentication_required` if the password or code that the caller needs is missing, `wrong_password`, `wrong_code`,
   * `too_many_requests`, `overloaded`
   */
  confirm(
    caller: Caller,
    actor: Actor,
    given: { readonly password?: string | null | undefined; readonly code?: string | null | undefined },
  ): Promise<void>;
}

export function createProofs(deps: {
  readonly control: ControlStore;
  readonly clock: Clock;
  readonly log: Logger;
  readonly audit: Audit;
  readonly twoFactor: TwoFactor;
  /** The login uses the same throttle, so that guesses at login and within a session are counted together. */
  readonly throttle: LoginThrottle;
  readonly codeThrottle: LoginThrottle;
}): Proofs {
  const { clock, audit, twoFactor } = deps;
  const { db } = deps.control;

  const howToConfirm = async ({ userId }: Caller): Promise<ConfirmWith> =>
    (await twoFactor.isEnabled(userId)) ? 'code' : 'password';
  const checkPassword: Proofs['checkPassword'] = async ({ userId, email }, password, address) => {
    const attempt = await countAttempt(deps.throttle, email, address, TOO_MANY_PASSWORDS);
    if (!(await matchesPassword(password, await findPasswordHash(db, userId))))
      throw new AppError('wrong_password', TEXTS.currentPasswordWrong);
    await attempt.succeeded();
  };
  const checkCode = async ({ userId }: Caller, code: string) => {
    const attempt = await countAttempt(deps.codeThrottle, userId, '', TOO_MANY_CODES);
    if (!(await twoFactor.useCode(userId, code))) throw new AppError('wrong_code', TEXTS.codeOrBackupInvalid);
    await attempt.succeeded();
  };
  /**
   * Records that a user confirmed their identity, or entered a wrong password or code. The server's log contains such entries for all
   * users, because solo users have no audit log.
   */
  const record = async (
    tx: ControlDb,
    caller: Caller,
    actor: Actor,
    action: 'member.confirmed' | 'member.confirmation_failed',
  ) => {
    deps.log.info({ user: caller.userId, address: actor.address }, action);
    if (caller.organization === null) return;
    await audit.record(tx, { organizationId: caller.organization.id, action, actor });
  };

  return {
    checkPassword,
    async confirmation(caller) {
      const isRecent = clock.now().getTime() - caller.authenticatedAt.getTime() <= RECENT_MS;
      return isRecent ? undefined : howToConfirm(caller);
    },
    async confirm(caller, actor, { password, code }) {
      const by = await howToConfirm(caller);
      const given = by === 'code' ? code : password;
      if (given == null || given === '') throw buildReauthenticationError(by);
      try {
        if (by === 'code') await checkCode(caller, given);
        else await checkPassword(caller, given, actor.address);
      } catch (error) {
        const isWrong =
          error instanceof AppError && (error.code === 'wrong_code' || error.code === 'wrong_password');
        if (isWrong) await record(db, caller, actor, 'member.confirmation_failed');
        throw error;
      }
      await db.transaction(async (tx) => {
        await confirmSession(tx, caller.sessionId, clock.now());
        await record(tx, caller, actor, 'member.confirmed');
      });
    },
  };
}
