import { type Identity, type SignedIn, TEXTS } from '@throughline/contract';
import type { Clock } from '../../platform/clock.ts';
import { type ControlStore, violates } from '../../platform/control-store/index.ts';
import { AppError } from '../../platform/http/errors.ts';
import type { Orgs } from '../orgs/index.ts';
import type { LoginThrottle } from './login-throttle.ts';
import { hashPassword, passwordMatches } from './passwords.ts';
import type { Sessions } from './sessions.ts';
import { findByEmail, insertSoloUser, type UserRow } from './store.ts';

export interface Accounts {
  /** @throws AppError `email_taken` */
  registerSolo(body: { name: string; email: string; password: string }): Promise<SignedIn>;
  /** @throws AppError `invalid_credentials`, `too_many_requests` */
  login(body: { email: string; password: string }, address: string): Promise<SignedIn>;
  identify(user: UserRow): Promise<Identity>;
}

export function createAccounts(deps: {
  readonly control: ControlStore;
  readonly clock: Clock;
  readonly orgs: Orgs;
  readonly sessions: Sessions;
  readonly throttle: LoginThrottle;
}): Accounts {
  const { db } = deps.control;

  const identify = async (user: UserRow): Promise<Identity> => {
    const organization = await deps.orgs.organizationOf(user.id);
    return {
      user: {
        id: user.id,
        name: user.name,
        email: user.email,
        userType: organization === null ? 'solo' : 'organization_member',
        createdAt: user.createdAt.toISOString(),
      },
      organization,
    };
  };
  const signIn = async (user: UserRow): Promise<SignedIn> => ({
    ...(await identify(user)),
    token: await deps.sessions.start(user.id),
  });

  return {
    identify,
    async registerSolo({ name, email, password }) {
      const passwordHash = await hashPassword(password);
      try {
        const user = await insertSoloUser(db, { name, email, passwordHash, now: deps.clock.now() });
        return await signIn(user);
      } catch (error) {
        if (violates(error, 'users_email')) throw new AppError('email_taken', TEXTS.emailTaken);
        throw error;
      }
    },
    async login({ email, password }, address) {
      const account = email.toLowerCase();
      const waitMs = deps.throttle.attempt(account, address);
      if (waitMs > 0) {
        throw new AppError('too_many_requests', 'Too many login attempts. Please wait and try again.', {
          retryAfterSeconds: waitMs / 1000,
        });
      }
      const user = await findByEmail(db, account);
      const matches = await passwordMatches(password, user?.passwordHash);
      if (!matches || user === undefined) throw new AppError('invalid_credentials', TEXTS.invalidCredentials);
      deps.throttle.succeeded(account, address);
      return signIn(user);
    },
  };
}
