import { routes, TEXTS } from '@throughline/contract';
import type { Clock } from '../../platform/clock.ts';
import type { ControlDb, ControlStore } from '../../platform/control-store/index.ts';
import { AppError } from '../../platform/http/errors.ts';
import type { Caller } from '../../platform/http/guard.ts';
import { type HttpContext, serve } from '../../platform/http/serve.ts';
import type { UserId } from '../../platform/ids.ts';
import type { Logger } from '../../platform/log.ts';
import { createSealer } from '../../platform/start/secrets.ts';
import { type Actor, buildActor } from '../audit/index.ts';
import { createBackupCodes, createCodeHash, createSecret, drawQrCode, findTimeStep } from './codes.ts';
import {
  confirm,
  countBackupCodes,
  deleteSecondFactor,
  findSecondFactor,
  putSecret,
  replaceBackupCodes,
  useBackupCode,
  useStep,
} from './store.ts';

/** Changes that are emailed to the user and recorded in the organization's audit log. */
export type TwoFactorChange = 'enabled' | 'disabled' | 'codesRenewed';

export interface TwoFactor {
  isEnabled(userId: UserId): Promise<boolean>;
  /**
   * Checks a code of the authenticator app, or a backup code, and marks it as used. Returns false if the code is wrong or was used
   * before.
   */
  useCode(userId: UserId, code: string): Promise<boolean>;
  register(
    http: HttpContext,
    deps: {
      readonly emailOf: (userId: UserId) => Promise<string>;
      /** Counts an attempt to enter a code. `succeeded` resets the count. @throws AppError `too_many_requests` */
      readonly throttle: (userId: UserId) => Promise<{ succeeded(): Promise<void> }>;
      /**
       * Emails the user about a change of two-factor authentication, and records the change in the organization's audit log, in the
       * transaction that makes the change.
       */
      readonly announce: (
        tx: ControlDb,
        caller: Caller,
        actor: Actor,
        change: TwoFactorChange,
      ) => Promise<void>;
    },
  ): void;
}

export function createTwoFactor(deps: {
  readonly control: ControlStore;
  readonly clock: Clock;
  readonly log: Logger;
  readonly secretKey: Buffer;
}): TwoFactor {
  const { clock } = deps;
  const { db } = deps.control;
  const sealer = createSealer(deps.secretKey, 'two-factor');
  const hashCode = createCodeHash(deps.secretKey);

  const useTotp = async (userId: UserId, row: { readonly sealedSecret: string }, code: string) => {
    const secret = sealer.tryOpen(row.sealedSecret, userId);
    if (secret === undefined) {
      // The user can still log in with a backup code.
      deps.log.error({ userId }, 'the stored secret of a second factor cannot be decrypted');
      return false;
    }
    const step = findTimeStep(code, secret, clock.now());
    return step !== undefined && (await useStep(db, userId, step));
  };
  const inForce = async (userId: UserId) => {
    const row = await findSecondFactor(db, userId);
    return row?.confirmedAt == null ? undefined : row;
  };
  const useCode: TwoFactor['useCode'] = async (userId, code) => {
    const row = await inForce(userId);
    if (row === undefined) return false;
    const given = code.trim();
    return /^\d{6}$/.test(given) ? useTotp(userId, row, given) : useBackupCode(db, userId, hashCode(given));
  };
  const freshBackupCodes = async (tx: ControlDb, userId: UserId): Promise<string[]> => {
    const codes = createBackupCodes();
    await replaceBackupCodes(tx, userId, codes.map(hashCode));
    return codes;
  };

  return {
    useCode,
    isEnabled: async (userId) => (await inForce(userId)) !== undefined,
    register(http, { emailOf, throttle, announce }) {
      serve(http, routes.twoFactor.status, async ({ caller }) => {
        const enabled = (await inForce(caller.userId)) !== undefined;
        return {
          twoFAEnabled: enabled,
          backupCodesLeft: enabled ? await countBackupCodes(db, caller.userId) : 0,
        };
      });
      serve(http, routes.twoFactor.setup, async ({ caller: { userId } }) => {
        const secret = createSecret();
        const sealedSecret = sealer.seal(secret, userId);
        const codes = await db.transaction(async (tx) => {
          if (!(await putSecret(tx, { userId, sealedSecret, now: clock.now() })))
            throw new AppError('two_factor_enabled');
          return freshBackupCodes(tx, userId);
        });
        return { secret, backupCodes: codes, qrCodeUrl: await drawQrCode(secret, await emailOf(userId)) };
      });
      serve(http, routes.twoFactor.verify, async ({ caller, request, body }) => {
        const { userId } = caller;
        const row = await findSecondFactor(db, userId);
        if (row === undefined) throw new AppError('two_factor_disabled');
        if (row.confirmedAt !== null) throw new AppError('two_factor_enabled');
        const attempt = await throttle(userId);
        if (!(await useTotp(userId, row, body.code))) throw new AppError('wrong_code', TEXTS.codeInvalid);
        await attempt.succeeded();
        await db.transaction(async (tx) => {
          if (!(await confirm(tx, userId, clock.now()))) throw new AppError('two_factor_enabled');
          await announce(tx, caller, buildActor(caller, request), 'enabled');
        });
        return { success: true as const };
      });
      serve(http, routes.twoFactor.regenerateBackupCodes, async ({ caller, request }) => {
        const { userId } = caller;
        if ((await inForce(userId)) === undefined) throw new AppError('two_factor_disabled');
        return db.transaction(async (tx) => {
          await announce(tx, caller, buildActor(caller, request), 'codesRenewed');
          return { backupCodes: await freshBackupCodes(tx, userId) };
        });
      });
      serve(http, routes.twoFactor.disable, async ({ caller, request, body }) => {
        const { userId } = caller;
        if ((await inForce(userId)) === undefined) throw new AppError('two_factor_disabled');
        const attempt = await throttle(userId);
        if (!(await useCode(userId, body.code || body.backupCode || '')))
          throw new AppError('wrong_code', TEXTS.codeOrBackupInvalid);
        await attempt.succeeded();
        await db.transaction(async (tx) => {
          if (!(await deleteSecondFactor(tx, userId))) throw new AppError('two_factor_disabled');
          await announce(tx, caller, buildActor(caller, request), 'disabled');
        });
        return { success: true as const };
      });
    },
  };
}
