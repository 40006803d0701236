import { type Identity, type SignedIn, TEXTS } from '@throughline/contract';
import type { Clock } from '../../platform/clock.ts';
import { type ControlDb, type ControlStore, violatesConstraint } from '../../platform/control-store/index.ts';
import { describeAddress } from '../../platform/countries.ts';
import { AppError } from '../../platform/http/errors.ts';
import { type OrganizationId, readId, type UserId } from '../../platform/ids.ts';
import { formatNameInMail, limitNotice, type Mailer } from '../../platform/mail/index.ts';
import { createToken, hashToken } from '../../platform/start/secrets.ts';
import type { Addresses } from '../addresses/index.ts';
import type { Audit } from '../audit/index.ts';
import type { Billing } from '../billing/index.ts';
import type { Invitations } from '../invitations/index.ts';
import type { Orgs } from '../orgs/index.ts';
import type { TwoFactor } from '../two-factor/index.ts';
import type { Origin } from './devices.ts';
import { hashPassword, matchesPassword } from './passwords.ts';
import type { Sessions } from './sessions.ts';
import {
  findByEmail,
  findUser,
  insertPendingLogin,
  insertUser,
  noteDevice,
  takePendingLogin,
  type UserRow,
  useTry,
} from './store.ts';
import { countAttempt, TOO_MANY_CODES } from './throttle/attempts.ts';
import type { LoginThrottle } from './throttle/login-throttle.ts';

const SECOND_STEP_MS = 5 * 60_000;
const SECOND_STEP_TRIES = 5;

interface NewAccount {
  readonly name: string;
  readonly email: string;
  readonly password: string;
}

type LoginAnswer = SignedIn | { requires2FA: true; tempToken: string };

export interface Accounts {
  /** @throws AppError `email_taken`, `overloaded` */
  registerSolo(account: NewAccount, origin: Origin): Promise<SignedIn>;
  /** @throws AppError `email_taken`, `slug_taken`, `overloaded` */
  registerOrganization(
    account: NewAccount & { organizationName: string; organizationSlug: string },
    origin: Origin,
  ): Promise<SignedIn>;
  /** @throws AppError `email_taken`, `invitation_invalid`, `wrong_account`, `plan_limit`, `overloaded` */
  registerInvited(token: string, account: NewAccount, origin: Origin): Promise<SignedIn>;
  /** @throws AppError `invalid_credentials`, `too_many_requests`, `overloaded` */
  login(body: { email: string; password: string }, origin: Origin): Promise<LoginAnswer>;
  /** @throws AppError `login_expired`, `invalid_code`, `too_many_requests` */
  verifyLogin(body: { tempToken: string; code: string }, origin: Origin): Promise<SignedIn>;
  /**
   * Accepts an invitation as the signed-in user. `token` is the session's token, which stays valid.
   * @throws AppError `unauthenticated` or `registration_required` without a session; the errors of {@link Invitations.redeem}
   */
  acceptInvitation(
    invitation: string,
    session: { readonly user: UserRow; readonly token: string } | undefined,
    address: string,
  ): Promise<SignedIn>;
  identify(user: UserRow): Promise<Identity>;
}

export function createAccounts(deps: {
  readonly control: ControlStore;
  readonly clock: Clock;
  readonly addresses: Addresses;
  readonly orgs: Orgs;
  readonly billing: Billing;
  readonly invitations: Invitations;
  readonly audit: Audit;
  readonly mail: Mailer;
  readonly twoFactor: TwoFactor;
  readonly sessions: Sessions;
  readonly throttle: LoginThrottle;
  readonly codeThrottle: LoginThrottle;
}): Accounts {
  const { clock, addresses, orgs, billing, invitations, twoFactor } = deps;
  const { db } = deps.control;

  const identify = async (user: UserRow): Promise<Identity> => {
    const organization = await orgs.organizationOf(user.id);
    const address = await deps.addresses.stateOf(user.id);
    return {
      user: {
        id: user.id,
        name: user.name,
        email: user.email,
        ...address,
        userType: organization === null ? 'solo' : 'organization_member',
        createdAt: user.createdAt.toISOString(),
      },
      organization,
    };
  };
  const signIn = async (user: UserRow, origin: Origin): Promise<SignedIn> => {
    const identity = await identify(user);
    if (await isNewDevice(user.id, origin)) await warnOfDevice(user, origin);
    const organizationId = readId<OrganizationId>(identity.organization?.id ?? '');
    if (organizationId !== undefined) {
      await deps.audit.record(db, {
        organizationId,
        action: 'member.signed_in',
        actor: { userId: user.id, address: origin.address },
      });
    }
    return { ...identity, token: await deps.sessions.start(user.id, origin) };
  };
  const isNewDevice = async (userId: UserId, { device }: Origin) =>
    device !== null && (await noteDevice(db, { userId, device, now: clock.now() })) === 'new';
  const warnOfDevice = (user: UserRow, { device, address }: Origin) =>
    deps.mail.send(db, {
      to: user.email,
      name: user.name,
      subject: 'New login to your Throughline account',
      paragraphs: [
        `Somebody logged in to your account with ${formatNameInMail(device ?? '') || 'an unknown device'} for the first time, from the IP address ${describeAddress(address)}.`,
      ],
      note: 'If this was you, there is nothing to do. If not, change your password: that ends all other sessions.',
      ...limitNotice(user),
    });
  /** Accepts an invitation. The invitation's link was mailed to the address, so accepting also confirms the address. */
  const redeem = async (tx: ControlDb, invitation: string, user: UserRow, address: string) => {
    await invitations.redeem(tx, invitation, { userId: user.id, address }, user.email);
    await addresses.markVerified(tx, user.id);
  };
  /** Creates the account, calls `complete` in the same transaction, then signs the user in. */
  const register = async (
    { name, email, password }: NewAccount,
    origin: Origin,
    complete: (tx: ControlDb, user: UserRow) => Promise<void>,
  ): Promise<SignedIn> => {
    const passwordHash = await hashPassword(password);
    try {
      const user = await db.transaction(async (tx) => {
        const made = await insertUser(tx, {
          name,
          email,
          emailVerifiedAt: null,
          passwordHash,
          now: clock.now(),
        });
        await complete(tx, made);
        return made;
      });
      return await signIn(user, origin);
    } catch (error) {
      if (violatesConstraint(error, 'users_email')) throw new AppError('email_taken', TEXTS.emailTaken);
      throw error;
    }
  };

  return {
    identify,
    registerSolo: (account, origin) =>
      register(account, origin, async (tx, user) => {
        await billing.startTrial(tx, { kind: 'solo', userId: user.id }, user.createdAt);
        await addresses.welcome(tx, user);
      }),
    registerOrganization: ({ organizationName, organizationSlug, ...account }, origin) =>
      register(account, origin, async (tx, user) => {
        const actor = { userId: user.id, address: origin.address };
        await orgs.found(tx, actor, { name: organizationName, slug: organizationSlug });
        await addresses.welcome(tx, user);
      }),
    async registerInvited(token, account, origin) {
      // Rejects an invalid token before the expensive password hash.
      await invitations.offer(token);
      return register(account, origin, (tx, user) => redeem(tx, token, user, origin.address));
    },
    async login({ email, password }, origin) {
      const account = email.toLowerCase();
      const attempt = await countAttempt(
        deps.throttle,
        account,
        origin.address,
        'Too many login attempts. Wait, then try again.',
      );
      const user = await findByEmail(db, account);
      const matches = await matchesPassword(password, user?.passwordHash);
      if (!matches || user === undefined) throw new AppError('invalid_credentials', TEXTS.invalidCredentials);
      await attempt.succeeded();
      if (!(await twoFactor.isEnabled(user.id))) return signIn(user, origin);
      const tempToken = createToken();
      const now = clock.now();
      await insertPendingLogin(db, {
        tokenHash: hashToken(tempToken),
        userId: user.id,
        tries: SECOND_STEP_TRIES,
        now,
        staleBefore: new Date(now.getTime() - SECOND_STEP_MS),
      });
      return { requires2FA: true, tempToken };
    },
    async verifyLogin({ tempToken, code }, origin) {
      const tokenHash = hashToken(tempToken);
      const userId = await useTry(db, tokenHash, new Date(clock.now().getTime() - SECOND_STEP_MS));
      if (userId === undefined) throw new AppError('login_expired', TEXTS.loginExpired);
      // Counts wrong codes per account across logins: an attacker who knows the password can begin a new login after every five codes.
      const attempt = await countAttempt(deps.codeThrottle, userId, '', TOO_MANY_CODES);
      if (!(await twoFactor.useCode(userId, code)))
        throw new AppError('invalid_code', TEXTS.codeInvalidAtLogin);
      const user = await findUser(db, userId);
      if (user === undefined || !(await takePendingLogin(db, tokenHash)))
        throw new AppError('login_expired', TEXTS.loginExpired);
      await attempt.succeeded();
      return signIn(user, origin);
    },
    async acceptInvitation(invitation, session, address) {
      if (session === undefined) {
        const { email } = await invitations.offer(invitation);
        const known = await findByEmail(db, email);
        throw new AppError(known === undefined ? 'registration_required' : 'unauthenticated');
      }
      const { user, token } = session;
      await db.transaction((tx) => redeem(tx, invitation, user, address));
      return { ...(await identify(user)), token };
    },
  };
}
