import { TEXTS } from '@throughline/contract';
import type { Clock } from '../../platform/clock.ts';
import { type ControlStore, violatesConstraint } from '../../platform/control-store/index.ts';
import { AppError } from '../../platform/http/errors.ts';
import type { Orgs } from '../orgs/index.ts';
import { hashPassword } from './passwords.ts';
import { insertUser } from './store.ts';

/** The audit log shows this text instead of a network address for the operator's actions. */
const OPERATOR_ADDRESS = 'command line';

/**
 * Creates an account with an organization, but no session. Used by the operator, so it works even if registration is closed.
 * @throws AppError `email_taken`, `slug_taken`
 */
export async function createOwner(
  deps: { readonly control: ControlStore; readonly clock: Clock; readonly orgs: Pick<Orgs, 'found'> },
  account: {
    readonly name: string;
    readonly email: string;
    readonly password: string;
    readonly organizationName: string;
    readonly organizationSlug: string;
  },
): Promise<void> {
  const { name, email, password, organizationName, organizationSlug } = account;
  const passwordHash = await hashPassword(password);
  try {
    await deps.control.db.transaction(async (tx) => {
      const user = await insertUser(tx, {
        name,
        email,
        // The address counts as confirmed, because the operator vouches for it.
        emailVerifiedAt: deps.clock.now(),
        passwordHash,
        now: deps.clock.now(),
      });
      const actor = { userId: user.id, address: OPERATOR_ADDRESS };
      await deps.orgs.found(tx, actor, { name: organizationName, slug: organizationSlug });
    });
  } catch (error) {
    if (violatesConstraint(error, 'users_email')) throw new AppError('email_taken', TEXTS.emailTaken);
    throw error;
  }
}
