import { readFile } from 'node:fs/promises';
import { expect, type Page } from '@playwright/test';
import { expectAccessible } from '../harness/accessible.ts';
import { foundOrganization } from '../harness/organizations.ts';
import type { Account } from '../harness/people.ts';
import { addProject, signUp } from '../harness/signed-up.ts';
import { test } from '../harness/worker-server.ts';

const planNow = (page: Page) => page.getByRole('region', { name: 'Current plan' });
const dialog = (page: Page) => page.getByRole('dialog');

/** Who pays: what each meets is alike, in other words. */
interface Payer {
  readonly kind: 'solo' | 'organization';
  readonly begin: (page: Page, person: Account, organization: string) => Promise<unknown>;
  readonly first: string;
  readonly price: string;
  readonly larger: string;
  /** So many projects are one more than the first plan has room for. */
  readonly tooMany: number;
}

const solo: Payer = {
  kind: 'solo',
  begin: signUp,
  first: 'Starter',
  price: '$19',
  larger: 'Solo Developer',
  tooMany: 3,
};
const organization: Payer = {
  kind: 'organization',
  begin: foundOrganization,
  first: 'Pro',
  price: '$149',
  larger: 'Enterprise Basic',
  tooMany: 6,
};

/** `npm test` tries each with one of both, the long tests with the other, too. */
const usuallySolo = [
  [solo, ''],
  [organization, ' @long'],
] as const;
const usuallyOrganization = [
  [solo, ' @long'],
  [organization, ''],
] as const;

/** A test of the billing page of somebody who has just begun. */
function testAs(
  payers: readonly (readonly [Payer, string])[],
  what: string,
  run: (page: Page, payer: Payer) => Promise<void>,
): void {
  for (const [payer, when] of payers) {
    test(`${what}, ${payer.kind}${when}`, async ({ page, ada, organizationName }) => {
      await payer.begin(page, ada, organizationName);
      await page.goto('/billing');
      await run(page, payer);
    });
  }
}

async function upgrade(page: Page, plan: string): Promise<void> {
  await page.getByRole('button', { name: `Upgrade to ${plan}` }).click();
  await expect(dialog(page)).toContainText('Due now');
  await expect(dialog(page)).toContainText('Sandbox – no card is charged');
  await dialog(page).getByRole('button', { name: 'Upgrade Now' }).click();
  // Of an upgrade just before, its notice may still stand above.
  await expect(page.getByText(`Successfully upgraded to ${plan} plan!`).last()).toBeVisible();
  await expect(planNow(page).getByRole('heading', { name: plan })).toBeVisible();
}

async function createProject(page: Page, name: string): Promise<void> {
  await page.goto('/projects');
  await page.getByLabel('Project name').fill(name);
  await page.getByRole('button', { name: 'Create Project' }).click();
}

test('a solo user meets the limit, upgrades from its dialog, and what was refused works', async ({
  page,
  ada,
}) => {
  await signUp(page, ada);
  await addProject(page, 'orders');
  await createProject(page, 'payments');
  await expect(dialog(page)).toContainText(
    'Free Trial includes 1 project, and 1 is used. Upgrade to Starter for 2 projects.',
  );
  await expectAccessible(page, 'limit dialog');
  await dialog(page).getByRole('link', { name: 'Upgrade Now' }).click();
  await expect(page).toHaveURL(/\/billing/);
  await expect(planNow(page)).toContainText('Free Trial');
  await expect(planNow(page)).toContainText('trialing');
  await expect(page.getByRole('region', { name: 'Usage' })).toContainText('1 of 1 · 100 %');
  await upgrade(page, 'Starter');
  await expect(planNow(page)).toContainText('$19 a month');
  await expect(page.getByRole('region', { name: 'Usage' })).toContainText('1 of 2 · 50 %');
  const downloading = page.waitForEvent('download');
  await page.getByRole('button', { name: /^PDF of SANDBOX-/ }).click();
  expect(await readFile(await (await downloading).path(), 'utf8')).toContain('$19.00');
  await createProject(page, 'payments');
  await expect(page.getByRole('article', { name: 'payments' })).toBeVisible();
  await createProject(page, 'third');
  await expect(dialog(page)).toContainText('Upgrade to Solo Developer for 5 projects.');
});

test('an organization without a free seat upgrades from the dialog, and the user who was refused is added', async ({
  page,
  ada,
  grace,
  organizationName,
}) => {
  await foundOrganization(page, ada, organizationName);
  await page.goto('/users');
  // It is shown locked, and says why when it is tried.
  await page.getByRole('button', { name: 'Add User' }).click({ force: true });
  await expect(dialog(page)).toContainText('Cannot add members on free plan.');
  await dialog(page).getByRole('link', { name: 'Upgrade Now' }).click();
  await upgrade(page, 'Pro');
  await page.goto('/users');
  await page.getByRole('button', { name: 'Add User' }).click();
  await dialog(page).getByLabel('Full Name').fill(grace.name);
  await dialog(page).getByLabel('Email Address').fill(grace.email);
  await dialog(page).getByRole('button', { name: 'Add User' }).click();
  await expect(page.getByText('User created successfully!')).toBeVisible();
});

testAs(
  usuallyOrganization,
  'a smaller plan that does not hold what is there is refused with its reason',
  async (page, { first, larger, tooMany }) => {
    await upgrade(page, larger);
    for (let made = 0; made < tooMany; made += 1) await addProject(page, `service ${made}`);
    await page.getByRole('button', { name: `Change to ${first}` }).click();
    await expect(dialog(page).getByRole('alert')).toHaveText(
      `${first} includes ${tooMany - 1} projects, and there are ${tooMany}. Please remove 1 first.`,
    );
    await expect(dialog(page).getByRole('button', { name: 'Confirm' })).toBeDisabled();
  },
);

test('a year costs ten months; a smaller plan waits for the period, and can be taken back', async ({
  page,
  ada,
}) => {
  await signUp(page, ada);
  await page.goto('/billing');
  await expect(page.getByText('A year costs as much as 10 months.')).toBeVisible();
  await page.getByText('Yearly', { exact: true }).click();
  await upgrade(page, 'Solo Developer');
  await expect(planNow(page)).toContainText('$490 a year');
  await page.getByRole('button', { name: 'Change to Starter' }).click();
  await expect(dialog(page)).toContainText('What you have now stays until');
  await dialog(page).getByRole('button', { name: 'Confirm' }).click();
  await expect(
    page.getByText('Your plan changes to Starter at the end of your current billing period.'),
  ).toBeVisible();
  await expect(planNow(page)).toContainText('It will be Starter, billed yearly.');
  await planNow(page).getByRole('button', { name: 'Keep Solo Developer' }).click();
  await expect(planNow(page)).not.toContainText('It will be Starter');
});

testAs(
  usuallyOrganization,
  'who cancels goes on, cancels, and ends with the period; then subscribes again',
  async (page, { kind, first }) => {
    await expect(planNow(page).getByRole('button', { name: 'Cancel Subscription' })).toBeDisabled();
    await upgrade(page, first);
    const cancel = async () => {
      await planNow(page).getByRole('button', { name: 'Cancel Subscription' }).click();
      await dialog(page).getByRole('button', { name: 'Cancel Subscription' }).click();
      await expect(
        page.getByText('Subscription will be cancelled at the end of your current billing period.').first(),
      ).toBeVisible();
      await expect(planNow(page)).toContainText('then the plan ends');
    };
    await cancel();
    await planNow(page).getByRole('button', { name: 'Reactivate Subscription' }).click();
    await expect(page.getByText('Your subscription goes on.')).toBeVisible();
    await expect(planNow(page).getByRole('button', { name: 'Cancel Subscription' })).toBeEnabled();
    await cancel();
    await page.getByRole('button', { name: 'Jump to the period’s end' }).click();
    await expect(planNow(page)).toContainText('cancelled');
    await expect(planNow(page)).toContainText(`You had ${first}.`);
    await upgrade(page, first);
    if (kind === 'solo') return;
    await page.goto('/users?tab=audit');
    await expect(page.getByRole('row', { name: /cancelled the subscription to Pro/ }).first()).toBeVisible();
    await expect(page.getByRole('row', { name: /changed the plan Free Trial → Pro/ }).first()).toBeVisible();
  },
);

testAs(
  usuallySolo,
  'a payment that fails is told of and can be made up for; else the plan ends',
  async (page, { first }) => {
    await upgrade(page, first);
    await page.getByRole('button', { name: 'Jump, and let the payment fail' }).click();
    await expect(planNow(page)).toContainText('past due');
    await expect(planNow(page)).toContainText('The last payment failed.');
    await expectAccessible(page, 'a failed payment');
    await planNow(page).getByRole('button', { name: 'Pay now' }).click();
    await expect(page.getByText('Thank you. The payment went through.')).toBeVisible();
    await expect(planNow(page)).toContainText('active');
    await page.getByRole('button', { name: 'Jump, and let the payment fail' }).click();
    await page.getByRole('button', { name: 'Let the grace run out' }).click();
    await expect(planNow(page)).toContainText('expired');
    await expect(planNow(page)).toContainText(`You had ${first}.`);
  },
);

testAs(
  usuallySolo,
  'a trial that ends says so on every page, with the way on',
  async (page, { first, price }) => {
    await page.getByRole('button', { name: 'End the trial' }).click();
    await expect(planNow(page)).toContainText('expired');
    await page.goto('/dashboard');
    await expect(page.getByText('Your free trial has ended')).toBeVisible();
    await page.getByRole('link', { name: 'See the plans' }).click();
    await expect(page).toHaveURL(/\/billing/);
    await upgrade(page, first);
    await expect(planNow(page)).toContainText(`${price} a month`);
    await expect(page.getByText('Your free trial has ended')).toBeHidden();
  },
);

test('what cannot be loaded is said, and can be tried again', async ({ page, ada }) => {
  await signUp(page, ada);
  await page.route('**/api/user-billing/subscription', (route) => route.fulfill({ status: 500, body: '{}' }));
  await page.goto('/billing');
  await expect(page.getByText('Failed to load billing information')).toBeVisible();
  await expect(page.getByRole('region', { name: 'Usage' })).toContainText('0 of 1,000');
  await expect(planNow(page)).toContainText('Free Trial');
  await expect(planNow(page)).not.toContainText('Current period');
  await page.unroute('**/api/user-billing/subscription');
  await page.getByRole('button', { name: 'Try Again', exact: true }).click();
  await expect(planNow(page)).toContainText('Current period');
});

for (const colorScheme of ['light', 'dark'] as const) {
  test(`billing can be used by everybody, ${colorScheme}`, async ({ page, ada, organizationName }) => {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await foundOrganization(page, ada, organizationName);
    await page.goto('/billing');
    await expect(planNow(page)).toContainText('Free Trial');
    await expectAccessible(page, 'trial');
    await page.getByRole('button', { name: 'Upgrade to Pro' }).click();
    await expect(dialog(page)).toContainText('Due now');
    await expectAccessible(page, 'upgrade dialog');
    await dialog(page).getByRole('button', { name: 'Upgrade Now' }).click();
    await expect(planNow(page)).toContainText('Pro');
    await expectAccessible(page, 'paid');
    await planNow(page).getByRole('button', { name: 'Cancel Subscription' }).click();
    await expectAccessible(page, 'cancel dialog');
  });
}
