import type { Page } from '@playwright/test';
import type { DialogOwner, DialogPeople } from '../pages/dialog-row.ts';
import { failedOrder } from '../traces/traces.ts';
import { addMember, invite, signUpOrganization } from './organizations.ts';
import type { Account } from './people.ts';
import { signUpWithTraces } from './signed-up.ts';
import { turnOnTwoFactor } from './two-factor.ts';

export interface People {
  readonly ada: Account;
  readonly grace: Account;
  readonly organizationName: string;
}

/** Signs up a user who can open the dialogs, and creates the data that the dialogs show. */
export async function signUpForDialogs(
  page: Page,
  owner: DialogOwner,
  people: People,
): Promise<DialogPeople> {
  const invited = `invited-${people.grace.email}`;
  if (owner === 'solo') {
    await signUpWithTraces(page, people.ada, [failedOrder(new Date())]);
  } else {
    const organization = await signUpOrganization(page, people.ada, people.organizationName);
    await addMember(page, organization, people.grace);
    await invite(page, organization, { name: 'Somebody with a long name, invited', email: invited });
    await turnOnTwoFactor(page);
  }
  return { member: people.grace.email, invited };
}
