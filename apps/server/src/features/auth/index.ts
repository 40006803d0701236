import type { Identity } from '@throughline/contract';
import type { FastifyRequest } from 'fastify';
import type { Clock } from '../../platform/clock.ts';
import type { ControlDb, ControlStore } from '../../platform/control-store/index.ts';
import { describeAddress } from '../../platform/countries.ts';
import { AppError } from '../../platform/http/errors.ts';
import type { Caller } from '../../platform/http/guard.ts';
import type { HttpContext } from '../../platform/http/serve.ts';
import type { SessionId, UserId } from '../../platform/ids.ts';
import type { Logger } from '../../platform/log.ts';
import { limitNotice, type Mailer } from '../../platform/mail/index.ts';
import { startPeriodicJob } from '../../platform/queues/periodic-job.ts';
import type { Addresses } from '../addresses/index.ts';
import type { Actor, Audit } from '../audit/index.ts';
import type { Billing } from '../billing/index.ts';
import type { Invitations } from '../invitations/index.ts';
import type { Orgs } from '../orgs/index.ts';
import type { TwoFactor, TwoFactorChange } from '../two-factor/index.ts';
import { createProofs, type Proofs } from './proofs.ts';
import { registerAuthRoutes } from './routes.ts';
import { createAccounts } from './service.ts';
import { createSessionWatch } from './session-watch.ts';
import { createSessions, readBearerToken, type Sessions } from './sessions.ts';
import { findUser, type UserRow } from './store.ts';
import { createSharedAttempts, deleteOldAttempts } from './throttle/attempt-store.ts';
import { countAttempt, TOO_MANY_CODES } from './throttle/attempts.ts';
import { createAttemptMemory, createLoginThrottle } from './throttle/login-throttle.ts';

export { createOwner } from './create-owner.ts';
export { hashPassword } from './passwords.ts';
export { readBearerToken } from './sessions.ts';

const FORGET_EVERY_MS = 5 * 60_000;

export interface Auth {
  register(http: HttpContext): void;
  /** Returns the authenticated user. @throws AppError `unauthenticated`, `session_required` */
  caller(request: FastifyRequest): Promise<Caller>;
  /**
   * Calls the listener once when the session ends, for whatever reason and on whichever server. Returns a function that removes the
   * listener.
   */
  onSessionEnded(id: SessionId, listener: () => void): () => void;
  readonly sessions: Sessions;
  /** @throws AppError `not_found` if the account no longer exists */
  identify(userId: UserId): Promise<Identity>;
  readonly confirmation: Proofs['confirmation'];
  readonly checkPassword: Proofs['checkPassword'];
  close(): Promise<void>;
}

export async function createAuth(deps: {
  readonly control: ControlStore;
  readonly clock: Clock;
  readonly log: Logger;
  readonly addresses: Addresses;
  readonly orgs: Orgs;
  readonly billing: Billing;
  readonly invitations: Invitations;
  readonly audit: Audit;
  readonly mail: Mailer;
  readonly twoFactor: TwoFactor;
  /** Who can create an account. */
  readonly registration: 'open' | 'invite';
  /** True if other servers can use the same control store, which is the case with PostgreSQL. */
  readonly shared: boolean;
}): Promise<Auth> {
  const { clock } = deps;
  const { db } = deps.control;
  const watch = await createSessionWatch(deps);
  const sessions = createSessions({ ...deps, onEnded: watch.announce });
  /** Attempts to guess a password are counted by email address, attempts to guess a code by user id. */
  const attempts = deps.shared ? createSharedAttempts(db) : createAttemptMemory();
  const throttle = createLoginThrottle(clock, attempts, 'password');
  const codeThrottle = createLoginThrottle(clock, attempts, 'code');
  const forgetting = deps.shared
    ? startPeriodicJob({
        everyMs: FORGET_EVERY_MS,
        work: () => deleteOldAttempts(db, clock.now()),
        log: deps.log,
        failure: 'old login attempts could not be removed',
      })
    : undefined;
  const accounts = createAccounts({ ...deps, sessions, throttle, codeThrottle });
  const proofs = createProofs({ ...deps, throttle, codeThrottle });
  /** The authenticated user of each request, for routes that need only the user. */
  const users = new WeakMap<FastifyRequest, UserRow>();
  const find = async (id: UserId): Promise<UserRow> => {
    const user = await findUser(db, id);
    if (user === undefined) throw new AppError('not_found');
    return user;
  };
  return {
    sessions,
    register(http) {
      registerAuthRoutes(http, { accounts, proofs, sessions, users, registration: deps.registration });
      deps.twoFactor.register(http, {
        emailOf: async (id) => (await find(id)).email,
        throttle: (id) => countAttempt(codeThrottle, id, '', TOO_MANY_CODES),
        announce: (tx, caller, actor, change) => announceTwoFactor(deps, tx, { caller, actor, change }),
      });
    },
    async caller(request) {
      const { caller, user } = await sessions.open(
        readBearerToken(request.headers.authorization),
        request.ip,
      );
      users.set(request, user);
      return caller;
    },
    identify: async (id) => accounts.identify(await find(id)),
    confirmation: proofs.confirmation,
    checkPassword: proofs.checkPassword,
    onSessionEnded: watch.onEnded,
    async close() {
      await forgetting?.close();
      await watch.close();
    },
  };
}

const TWO_FACTOR_NEWS = {
  enabled: {
    subject: 'Two-factor authentication was turned on',
    happened: 'Two-factor authentication of your account was just turned on',
    action: 'member.two_factor_enabled',
  },
  disabled: {
    subject: 'Two-factor authentication was turned off',
    happened: 'Two-factor authentication of your account was just turned off',
    action: 'member.two_factor_disabled',
  },
  codesRenewed: {
    subject: 'Your two-factor backup codes were renewed',
    happened: 'New backup codes were just created for your account, and the old ones expired',
    action: 'member.backup_codes_renewed',
  },
} as const;

async function announceTwoFactor(
  { audit, mail }: { readonly audit: Audit; readonly mail: Mailer },
  tx: ControlDb,
  {
    caller,
    actor,
    change,
  }: { readonly caller: Caller; readonly actor: Actor; readonly change: TwoFactorChange },
): Promise<void> {
  const user = await findUser(tx, caller.userId);
  if (user === undefined) throw new AppError('not_found');
  const { subject, happened, action } = TWO_FACTOR_NEWS[change];
  await mail.send(tx, {
    to: user.email,
    name: user.name,
    subject,
    paragraphs: [`${happened}, from the IP address ${describeAddress(actor.address)}.`],
    note: 'If this was not you, change your password: that ends all other sessions.',
    ...limitNotice(user),
  });
  if (caller.organization === null) return;
  await audit.record(tx, { organizationId: caller.organization.id, action, actor });
}
