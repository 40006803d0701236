import { routes, TEXTS } from '@throughline/contract';
import type { Clock } from '../../platform/clock.ts';
import type { ControlStore } from '../../platform/control-store/index.ts';
import { AppError } from '../../platform/http/errors.ts';
import type { Caller } from '../../platform/http/guard.ts';
import { type HttpContext, serve, serveAnyone } from '../../platform/http/serve.ts';
import type { Logger } from '../../platform/log.ts';
import { limitNotice, type Mailer } from '../../platform/mail/index.ts';
import type { AccessTokens } from '../access-tokens/index.ts';
import type { Addresses } from '../addresses/index.ts';
import { type Actor, type Audit, buildActor } from '../audit/index.ts';
import type { Auth } from '../auth/index.ts';
import type { Billing } from '../billing/index.ts';
import type { Orgs } from '../orgs/index.ts';
import type { Projects } from '../projects/index.ts';
import { createPasswords } from './passwords.ts';
import { countMembers, deleteUser, updateName } from './store.ts';

/** A user's own account: profile, password, sessions, deletion. */
export interface AccountFeature {
  register(http: HttpContext): void;
  close(): Promise<void>;
}

interface Deps {
  readonly control: ControlStore;
  readonly clock: Clock;
  readonly log: Logger;
  readonly accessTokens: AccessTokens;
  readonly addresses: Addresses;
  readonly auth: Auth;
  readonly audit: Audit;
  readonly billing: Billing;
  readonly orgs: Orgs;
  readonly projects: Projects;
  readonly mail: Mailer;
  readonly publicUrl: () => string;
}

const done = { success: true as const };

export function createAccount(deps: Deps): AccountFeature {
  const { auth, addresses } = deps;
  const passwords = createPasswords(deps);
  return {
    close: passwords.close,
    register(http) {
      const { account } = routes;
      serve(http, account.updateProfile, async ({ caller, request, body }) => ({
        user: await saveProfile(deps, caller, buildActor(caller, request), body),
      }));
      serve(http, account.resendEmailLink, ({ caller }) => addresses.resend(caller.userId));
      serve(http, account.cancelEmailChange, async ({ caller, request }) => {
        await addresses.cancelChange(buildActor(caller, request));
        return { user: (await auth.identify(caller.userId)).user };
      });
      serveAnyone(http, account.verifyEmail, ({ body, request }) =>
        addresses.confirm(body.token, request.ip),
      );
      serve(http, account.changePassword, async ({ caller, request, body }) => {
        await passwords.change(caller, buildActor(caller, request), body);
        return { message: TEXTS.passwordUpdated };
      });
      serveAnyone(http, account.forgotPassword, async ({ body }) => {
        passwords.forgot(body.email);
        return done;
      });
      serveAnyone(http, account.resetPassword, async ({ body, request }) => {
        await passwords.reset(body, request.ip);
        return done;
      });
      serve(http, account.sessions, async ({ caller }) => ({ sessions: await auth.sessions.list(caller) }));
      serve(http, account.endSession, async ({ caller, params }) => {
        await auth.sessions.endOwn(caller.userId, params.id);
        return done;
      });
      serve(http, account.endOtherSessions, async ({ caller }) => {
        await auth.sessions.endAllOf(caller.userId, caller.sessionId);
        return done;
      });
      serve(http, account.remove, async ({ caller }) => {
        await removeAccount(deps, caller);
        return done;
      });
    },
  };
}

async function saveProfile(
  { control, auth, addresses }: Deps,
  caller: Caller,
  actor: Actor,
  { name, email }: { readonly name: string; readonly email: string },
) {
  if (email !== caller.email) await addresses.countChange(caller.userId);
  await control.db.transaction(async (tx) => {
    if (!(await updateName(tx, caller.userId, name))) throw new AppError('not_found');
    await addresses.requestChange(tx, actor, email);
  });
  return (await auth.identify(caller.userId)).user;
}

/**
 * Deletes the account, and the organization if the account is its only member, in one transaction. A member who joins at the same time
 * waits for the transaction, and then finds no organization.
 */
async function removeAccount(deps: Deps, caller: Caller): Promise<void> {
  const { billing, projects, orgs } = deps;
  const own = caller.organization;
  const announcements = await deps.control.db.transaction(async (tx) => {
    const payer =
      own === null
        ? ({ kind: 'solo', userId: caller.userId } as const)
        : ({ kind: 'organization', organizationId: own.id } as const);
    await billing.refusePaid(tx, payer, TEXTS.cancelSubscriptionFirst);
    if (own !== null && (await countMembers(tx, own.id)) > 1)
      throw new AppError('members_remain', TEXTS.membersRemain);
    const announcements = [
      await projects.removeAllIn(tx, { kind: 'solo', userId: caller.userId }),
      await deps.auth.sessions.endAllIn(tx, caller.userId),
    ];
    if (own !== null) {
      announcements.push(await projects.removeAllIn(tx, { kind: 'organization', organizationId: own.id }));
      await orgs.removeAll(tx, own.id);
    }
    const user = await deleteUser(tx, caller.userId);
    if (user === undefined) throw new AppError('not_found');
    await deps.mail.send(tx, {
      to: user.email,
      name: user.name,
      subject: 'Your Throughline account was deleted',
      paragraphs: ['Your account was deleted, with its projects and their traces. This cannot be undone.'],
      ...limitNotice(user),
    });
    return announcements;
  });
  for (const announce of announcements) await announce();
}
