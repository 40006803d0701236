import { expect, type Page } from '@playwright/test';
import { expectAccessible } from '../harness/browser/accessible.ts';
import { dialog, planNow, upgrade } from '../harness/pages/billing-page.ts';
import { foundOrganization } from '../harness/people/organizations.ts';
import type { Account } from '../harness/people/people.ts';
import { addProject, signUp } from '../harness/people/signed-up.ts';
import { test } from '../harness/server/worker-server.ts';

/** A user or organization that pays. The screens are the same for both, with different words. */
interface Payer {
  readonly kind: 'solo' | 'organization';
  readonly begin: (page: Page, person: Account, organization: string) => Promise<unknown>;
  readonly first: string;
  readonly price: string;
  readonly larger: string;
  /** Number of projects: one more than the first plan allows. */
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

/** `npm test` runs each test for one kind of payer. The long tests also run each test for the other kind of payer. */
const usuallySolo = [
  [solo, ''],
  [organization, ' @long'],
] as const;
const usuallyOrganization = [
  [solo, ' @long'],
  [organization, ''],
] as const;

/** Defines a test for each payer, which starts on the billing page of a new account. */
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

test('card, address and VAT id can be changed at the payment provider, which the billing page opens with one click @long', async ({
  page,
  ada,
}) => {
  await signUp(page, ada);
  // Simulates Stripe's response, because the sandbox has no page on which users change card, address and VAT id.
  await page.route('**/api/user-billing/subscription', async (route) => {
    const answer = await route.fetch();
    const { subscription, ...rest } = await answer.json();
    const payment = { ...subscription.payment, provider: 'stripe', label: null, portal: true };
    await route.fulfill({ json: { subscription: { ...subscription, payment }, ...rest } });
  });
  await page.route('**/api/user-billing/portal', (route) =>
    route.fulfill({ json: { portalUrl: 'https://portal.stripe.test/session' } }),
  );
  await page.route('https://portal.stripe.test/**', (route) => route.fulfill({ body: 'the portal' }));
  await page.goto('/billing');
  await planNow(page).getByRole('button', { name: 'Card, address and VAT id' }).click();
  await expect(page).toHaveURL('https://portal.stripe.test/session');
});

testAs(
  usuallyOrganization,
  'a downgrade is refused with the reason if current usage exceeds the smaller plan @long',
  async (page, { first, larger, tooMany }) => {
    await upgrade(page, larger);
    for (let made = 0; made < tooMany; made += 1) await addProject(page, `service ${made}`);
    await page.getByRole('button', { name: `Change to ${first}` }).click();
    await expect(dialog(page).getByRole('alert')).toHaveText(
      `${first} includes ${tooMany - 1} projects, and you have ${tooMany} projects. Remove 1 project first.`,
    );
    await expect(dialog(page).getByRole('button', { name: 'Confirm' })).toBeDisabled();
  },
);

test('a year costs as much as ten months; a downgrade waits for the end of the period and can be cancelled @long', async ({
  page,
  ada,
}) => {
  await signUp(page, ada);
  await page.goto('/billing');
  await expect(page.getByText('Yearly: 2 months free')).toBeVisible();
  await page.getByText('Yearly', { exact: true }).click();
  await upgrade(page, 'Solo Developer');
  await expect(planNow(page)).toContainText('$490 per year');
  await page.getByRole('button', { name: 'Change to Starter' }).click();
  await expect(dialog(page)).toContainText('Your current plan stays until');
  await dialog(page).getByRole('button', { name: 'Confirm' }).click();
  await expect(
    page.getByText('Your plan changes to Starter at the end of your current billing period.'),
  ).toBeVisible();
  await expect(planNow(page)).toContainText('The plan will be Starter, billed yearly.');
  await planNow(page).getByRole('button', { name: 'Keep Solo Developer' }).click();
  await expect(planNow(page)).not.toContainText('The plan will be Starter');
});

test('before a downgrade is confirmed, the page states which traces are deleted, and that insights end @long', async ({
  page,
  ada,
  organizationName,
}) => {
  await foundOrganization(page, ada, organizationName);
  await page.goto('/billing');
  await upgrade(page, 'Enterprise Plus');
  await page.getByRole('button', { name: 'Change to Pro' }).click();
  await expect(dialog(page)).toContainText(
    /From \d{4}-\d\d-\d\d on, traces older than 21 days are hidden, and deleted a day later\. AI insights end, too\./,
  );
  await expect(dialog(page).getByRole('button', { name: 'Confirm' })).toBeEnabled();
});

test("after a failed payment for a smaller plan, the page asks for the smaller plan's price, and offers only actions that are possible @long", async ({
  page,
  ada,
}) => {
  await signUp(page, ada);
  await page.goto('/billing');
  await upgrade(page, 'Solo Developer');
  await page.getByRole('button', { name: 'Change to Starter' }).click();
  await dialog(page).getByRole('button', { name: 'Confirm' }).click();
  await expect(planNow(page)).toContainText('The plan will be Starter, billed monthly.');
  await page.getByRole('button', { name: 'End the period with a failed payment' }).click();
  await expect(planNow(page)).toContainText('past due');
  await expect(planNow(page)).toContainText('Once paid, the plan will be Starter, billed monthly.');
  await expect(planNow(page).getByText('$19', { exact: true })).toBeVisible();
  // The page does not offer a plan change, because the server refuses changes while a payment is due.
  await expect(planNow(page).getByRole('button', { name: 'Keep Solo Developer' })).toHaveCount(0);
  await planNow(page).getByRole('button', { name: 'Pay now' }).click();
  await expect(planNow(page)).toContainText('$19 per month');
});

testAs(
  usuallyOrganization,
  'a cancelled subscription can be continued, ends with its period, and can be started again',
  async (page, { kind, first }) => {
    await expect(planNow(page).getByRole('button', { name: 'Cancel Subscription' })).toBeDisabled();
    await upgrade(page, first);
    const cancel = async () => {
      await planNow(page).getByRole('button', { name: 'Cancel Subscription' }).click();
      await dialog(page).getByRole('button', { name: 'Cancel Subscription' }).click();
      await expect(
        page.getByText('Subscription will be cancelled at the end of your current billing period.').first(),
      ).toBeVisible();
      await expect(planNow(page)).toContainText('the plan stays active until');
    };
    await cancel();
    await planNow(page).getByRole('button', { name: 'Reactivate Subscription' }).click();
    await expect(page.getByText('Your subscription will continue.')).toBeVisible();
    await expect(planNow(page).getByRole('button', { name: 'Cancel Subscription' })).toBeEnabled();
    await cancel();
    await page.getByRole('button', { name: 'End the current period' }).click();
    await expect(planNow(page)).toContainText('cancelled');
    await expect(planNow(page)).toContainText(`Your last plan was ${first}.`);
    await upgrade(page, first);
    if (kind === 'solo') return;
    await page.goto('/users?tab=audit');
    await expect(page.getByRole('row', { name: /cancelled the subscription to Pro/ }).first()).toBeVisible();
    await expect(
      page.getByRole('row', { name: /changed the plan from Free Trial to Pro/ }).first(),
    ).toBeVisible();
  },
);

testAs(
  usuallySolo,
  'a failed payment is shown and can be repeated; without a payment the plan ends',
  async (page, { first }) => {
    await upgrade(page, first);
    await page.getByRole('button', { name: 'End the period with a failed payment' }).click();
    await expect(planNow(page)).toContainText('past due');
    await expect(planNow(page)).toContainText('The last payment failed.');
    await expectAccessible(page, 'a failed payment');
    await planNow(page).getByRole('button', { name: 'Pay now' }).click();
    await expect(page.getByText('Thank you. The payment went through.')).toBeVisible();
    await expect(planNow(page)).toContainText('active');
    await page.getByRole('button', { name: 'End the period with a failed payment' }).click();
    await page.getByRole('button', { name: 'End the grace period' }).click();
    await expect(planNow(page)).toContainText('expired');
    await expect(planNow(page)).toContainText(`Your last plan was ${first}.`);
  },
);

testAs(
  usuallySolo,
  'an ended trial shows a notice with an upgrade link on every page',
  async (page, { first, price }) => {
    await page.getByRole('button', { name: 'End the trial' }).click();
    await expect(planNow(page)).toContainText('expired');
    await page.goto('/dashboard');
    await expect(page.getByText('Your free trial has ended')).toBeVisible();
    await page.getByRole('link', { name: 'See plans' }).click();
    await expect(page).toHaveURL(/\/billing/);
    await upgrade(page, first);
    await expect(planNow(page)).toContainText(`${price} per month`);
    await expect(page.getByText('Your free trial has ended')).toBeHidden();
  },
);

test('the dialog of an upgrade or a cancellation stays open and announces why it failed, if the server refuses it or cannot be reached', async ({
  page,
  ada,
}) => {
  await signUp(page, ada);
  await page.goto('/billing');
  const once = { times: 1 };
  const plan = '**/api/user-billing/subscription/plan';
  const cancel = '**/api/user-billing/subscription/cancel';
  const message = 'Your card was declined.';
  const error = { code: 'payment_failed', message, requestId: 'x' };
  await page.getByRole('button', { name: 'Upgrade to Starter' }).click();
  const confirm = dialog(page).getByRole('button', { name: 'Upgrade Now' });
  const alert = dialog(page).getByRole('alert');
  await page.route(plan, (route) => route.fulfill({ status: 402, json: { error, message } }), once);
  await confirm.click();
  await expect(alert).toHaveText(`Failed to upgrade: ${message}`);
  await page.route(plan, (route) => route.abort(), once);
  await confirm.click();
  await expect(alert).toHaveText('Failed to upgrade plan. Please try again.');
  await confirm.click();
  await expect(page.getByText('Successfully upgraded to Starter plan!')).toBeVisible();

  await planNow(page).getByRole('button', { name: 'Cancel Subscription' }).click();
  const end = dialog(page).getByRole('button', { name: 'Cancel Subscription' });
  const ended = { ...error, message: 'It has ended already.' };
  await page.route(
    cancel,
    (route) => route.fulfill({ status: 409, json: { error: ended, message: ended.message } }),
    once,
  );
  await end.click();
  await expect(alert).toHaveText('Failed to cancel subscription: It has ended already.');
  await page.route(cancel, (route) => route.abort(), once);
  await end.click();
  await expect(alert).toHaveText('Failed to cancel subscription. Please try again.');
});

test('the plan cards and the table show each plan, and mark the popular, the current and the next plan @long', async ({
  page,
  ada,
  organizationName,
}) => {
  await foundOrganization(page, ada, organizationName);
  await page.goto('/billing');
  const card = (name: string) =>
    page
      .getByRole('region', { name: 'Plans' })
      .getByRole('listitem')
      .filter({
        has: page.getByRole('heading', { name, exact: true }),
      });
  await expect(card('Free Trial')).toContainText('Current');
  await expect(card('Pro')).toContainText('Most popular');
  await expect(page.getByText('Most popular')).toHaveCount(1);
  const main = (name: string) => card(name).getByRole('button', { name: `Upgrade to ${name}` });
  await expect(main('Pro')).toHaveAttribute('data-variant', 'filled');
  await expect(main('Enterprise Basic')).toHaveAttribute('data-variant', 'default');
  const compared = page.getByRole('region', { name: 'Compare plans' }).getByRole('row');
  await expect(compared).toHaveText(
    [
      ['Limit', 'Free Trial (current)', 'Pro', 'Enterprise Basic', 'Enterprise Plus'],
      ['Monthly price', '$0', '$149', '$499', '$799'],
      ['Yearly price', '$0', '$1,490', '$4,990', '$7,990'],
      ['Team members', '1 member', '15 members', '25 members', '50 members'],
      ['Projects', '1 project', '5 projects', 'unlimited projects', 'unlimited projects'],
      [
        'Traces',
        '1,000 traces per month',
        '2,000,000 traces per month',
        '10,000,000 traces per month',
        '25,000,000 traces per month',
      ],
      ['Retention', '1 hour', '21 days', '30 days', '90 days'],
      ['AI insights', 'No', 'No', 'No', 'Yes'],
    ].map((cells) => cells.join('')),
  );
});

test('the billing page shows an error if its data cannot be loaded, and loads on retry @long', async ({
  page,
  ada,
}) => {
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
  test(`the billing page passes the accessibility check, ${colorScheme} @long`, async ({
    page,
    ada,
    organizationName,
  }) => {
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
