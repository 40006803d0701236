import { expect, type Page } from '@playwright/test';
import { expectAccessibleInBoth } from '../harness/browser/accessible.ts';
import { findLayoutFaults } from '../harness/browser/layout.ts';
import type { Account } from '../harness/people/people.ts';
import { signUpWithTraces } from '../harness/people/signed-up.ts';
import { test } from '../harness/server/worker-server.ts';
import { plainRequest } from '../harness/traces/traces.ts';

const panel = (page: Page) => page.getByRole('region', { name: 'What is different?' });
const found = (page: Page) => panel(page).getByRole('listitem');
const rows = (page: Page) => page.locator('[data-row]');

/** Sends twenty failed requests with the plan gold, and forty successful requests with the plan free. */
async function signUpWithPlans(page: Page, account: Account): Promise<void> {
  const traces = Array.from({ length: 60 }, (_, index) => ({
    ...plainRequest('/checkout', new Date(Date.now() - index * 1000)),
    response: { statusCode: index < 20 ? 500 : 200 },
    attributes: { plan: index < 20 ? 'gold' : 'free' },
  }));
  await signUpWithTraces(page, account, traces);
}

test('the panel names an attribute by which failed requests differ, and the list can be filtered by this attribute @long', async ({
  page,
  ada,
}) => {
  await signUpWithPlans(page, ada);
  await page.goto('/dashboard');
  await page.getByRole('button', { name: 'What is different?' }).click();
  await expect(panel(page)).toContainText('Filter the list first');
  await page.getByRole('combobox', { name: 'Status' }).selectOption('Error');
  await expect(panel(page)).toContainText('20 requests compared with 40 with another outcome');
  await expect(found(page)).toHaveText([/Attribute\s*plan:gold.*100 % of these, 0 % of others/]);
  await expectAccessibleInBoth(page, 'what is different');

  await panel(page).getByRole('button', { name: 'Filter out plan:gold' }).click();
  const excluded = page.getByRole('button', { name: 'Remove filter: -attribute:plan:gold' });
  await excluded.click();
  await expect(excluded).toHaveCount(0);
  await panel(page).getByRole('button', { name: 'Filter for plan:gold' }).click();
  await expect(page.getByRole('button', { name: 'Edit filter: attribute:plan:gold' })).toBeVisible();
  await page.getByRole('combobox', { name: 'Status' }).selectOption('All');
  await expect(rows(page)).toHaveCount(20);

  await page.reload();
  await expect(panel(page)).toContainText('20 requests compared with 40 that do not match');
  await expect(found(page).first()).toContainText('500');
  await panel(page)
    .getByRole('button', { name: /^Close/ })
    .click();
  await expect(panel(page)).toHaveCount(0);
  await expect(page).not.toHaveURL(/differences/);
});

test('selected rows are compared with the other rows, also on a phone @long', async ({ page, ada }) => {
  await signUpWithPlans(page, ada);
  await page.goto('/raw-traces');
  await rows(page).first().getByRole('checkbox').check();
  await page.getByRole('button', { name: 'What is different?' }).last().click();
  await expect(panel(page)).toContainText('1 request compared with 59 with another outcome');
  await page.setViewportSize({ width: 360, height: 740 });
  await expect.poll(() => findLayoutFaults(page)).toEqual([]);
});

test('the differences panel shows an error if it cannot be loaded, and loads on retry @long', async ({
  page,
  ada,
}) => {
  await signUpWithPlans(page, ada);
  await page.route('**/api/traces/differences?*', (route) => route.fulfill({ status: 500, json: {} }), {
    times: 4,
  });
  await page.goto('/dashboard?status=error&differences=shown');
  await expect(panel(page).getByRole('alert')).toContainText('The differences could not be loaded.');
  await page.unroute('**/api/traces/differences?*');
  await panel(page).getByRole('button', { name: 'Try Again' }).click();
  await expect(found(page)).toHaveCount(1);
});
