import { expect, type Page } from '@playwright/test';
import { expectAccessibleInBoth } from '../harness/browser/accessible.ts';
import { findLayoutFaults } from '../harness/browser/layout.ts';
import type { Account } from '../harness/people/people.ts';
import { signUpWithTraces } from '../harness/people/signed-up.ts';
import { test } from '../harness/server/worker-server.ts';
import { plainRequest, sendTraces } from '../harness/traces/traces.ts';

const groups = (page: Page, by: string) => page.getByRole('table', { name: `Traces by ${by}` });
const groupRows = (page: Page, by: string) => groups(page, by).locator('tbody').getByRole('row');
const listed = (page: Page) => page.getByRole('table', { name: 'Recent traces' }).locator('[data-row]');
const groupBy = (page: Page) => page.getByRole('combobox', { name: 'Group by' });

const expectListed = (page: Page, count: number) =>
  expect(page.getByText(`Showing ${count} of ${count} traces`)).toBeVisible();

/** Registers a user with twenty requests to /cart, twelve to /checkout of which six failed, and three to /health without a user. */
async function signUpWithShop(page: Page, account: Account): Promise<void> {
  const now = Date.now();
  const request = (path: string, second: number, more: object) => ({
    ...plainRequest(path, new Date(now - second * 1000)),
    ...more,
  });
  await signUpWithTraces(page, account, [
    ...Array.from({ length: 20 }, (_, index) =>
      request('/cart', index, { user: { id: index < 15 ? 'ada' : 'two words' } }),
    ),
    ...Array.from({ length: 12 }, (_, index) =>
      request('/checkout', 60 + index, {
        user: { id: 'ada' },
        response: { statusCode: index < 6 ? 500 : 200 },
      }),
    ),
    ...Array.from({ length: 3 }, (_, index) => request('/health', 120 + index, {})),
  ]);
}

test('a list is grouped by endpoint, a group opens as a list, and Back returns to the groups @long', async ({
  page,
  ada,
}) => {
  await signUpWithShop(page, ada);
  await page.goto('/dashboard');
  await expectListed(page, 35);
  await groupBy(page).selectOption('Endpoint');
  await expect(groupRows(page, 'endpoint')).toHaveText([
    /GET \/cart\s*20/,
    /GET \/checkout\s*12.*6\s*50\.0 %/,
    /GET \/health\s*3/,
  ]);
  await expect(page.getByText('Showing 3 of 3 groups')).toBeVisible();
  // Only the endpoint that fails more often than the others is marked.
  await expect(groups(page, 'endpoint').getByRole('img', { name: /^Fails more often/ })).toHaveCount(1);
  await expect(
    groupRows(page, 'endpoint')
      .nth(2)
      .getByRole('img', { name: /in the first half of the time/ }),
  ).toBeVisible();
  await expectAccessibleInBoth(page, 'groups by endpoint');

  await groups(page, 'endpoint').getByRole('link', { name: 'GET /checkout' }).click();
  await expectListed(page, 12);
  await expect(page.getByRole('button', { name: 'Edit filter: endpoint:/checkout' })).toBeVisible();
  await expect(groupBy(page)).toHaveValue('none');
  await page.goBack();
  await expect(groupRows(page, 'endpoint')).toHaveCount(3);
  await page.reload();
  await expect(groupRows(page, 'endpoint')).toHaveCount(3);
  await groupBy(page).selectOption('None');
  await expectListed(page, 35);
  await expect(page).not.toHaveURL(/groupBy/);
});

test('groups by user are sorted by failures, and opened by keyboard @long', async ({ page, ada }) => {
  await signUpWithShop(page, ada);
  await page.goto('/raw-traces?groupBy=user');
  await expect(groupRows(page, 'user')).toHaveText([/^ada\s*27/, /^two words\s*5/, /^No known user\s*3/]);
  await page.getByRole('combobox', { name: 'Status' }).selectOption('Success');
  await expect(groupRows(page, 'user').first()).toHaveText(/^ada\s*21/);
  await page.getByRole('combobox', { name: 'Status' }).selectOption('All');
  await page.getByRole('button', { name: 'Errors' }).click();
  await expect(page.getByRole('columnheader', { name: 'Errors' })).toHaveAttribute('aria-sort', 'descending');
  await expect(page).toHaveURL(/groupSort=errors/);
  await page.getByRole('link', { name: 'ada' }).focus();
  await page.keyboard.press('Tab');
  await expect(page.getByRole('link', { name: 'two words' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expectListed(page, 5);
  await page.goBack();
  await page.getByRole('link', { name: 'No known user' }).click();
  await expectListed(page, 3);
  await expect(page.getByRole('button', { name: 'Edit filter: -has:user' })).toBeVisible();
});

test('groups fit a phone, and filters without matches leave no groups @long', async ({ page, ada }) => {
  await signUpWithShop(page, ada);
  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto('/dashboard?groupBy=endpoint');
  await expect(groupRows(page, 'endpoint')).toHaveCount(3);
  await expect.poll(() => findLayoutFaults(page)).toEqual([]);
  await page.getByRole('button', { name: 'P95' }).click();
  await expect(page).toHaveURL(/groupSort=p95/);
  await groupBy(page).selectOption('Error');
  await expect(groupRows(page, 'error')).toHaveText([/^HTTP 500/]);
  await page.getByRole('combobox', { name: 'Status' }).selectOption('Success');
  await expect(page.getByText('None of these requests failed.')).toBeVisible();
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await expect(groupRows(page, 'error')).toHaveCount(1);
});

test('the list shows an error if groups cannot be loaded, and loads them on retry @long', async ({
  page,
  ada,
}) => {
  await signUpWithShop(page, ada);
  await page.route('**/api/traces/groups?*', (route) => route.fulfill({ status: 500, json: {} }), {
    times: 4,
  });
  await page.goto('/dashboard?groupBy=endpoint');
  await expect(page.getByRole('alert')).toContainText('The groups could not be loaded.');
  await page.unroute('**/api/traces/groups?*');
  await page.getByRole('button', { name: 'Try Again' }).click();
  await expect(groupRows(page, 'endpoint')).toHaveCount(3);
});

test('the headings of a list sort it by duration and by steps, and the URL keeps the order @long', async ({
  page,
  ada,
}) => {
  const at = new Date();
  const request = (path: string, duration: number, steps: number) => ({
    ...plainRequest(path, at),
    timing: { startTime: at.toISOString(), duration },
    flow: Array.from({ length: steps }, (_, index) => ({
      stepId: `s${index}`,
      stepName: 'load',
      stepType: 'function',
      startTime: at.toISOString(),
      duration: 0,
    })),
  });
  await signUpWithTraces(page, ada, [
    request('/slow', 900, 1),
    request('/deep', 5, 9),
    request('/quick', 1, 4),
  ]);
  await page.goto('/dashboard');
  const heading = (name: string) => page.getByRole('columnheader', { name });
  await expect(heading('Timestamp')).toHaveAttribute('aria-sort', 'descending');
  await page.getByRole('button', { name: 'Steps' }).click();
  await expect(listed(page)).toHaveText([/\/deep/, /\/quick/, /\/slow/]);
  await expect(heading('Steps')).toHaveAttribute('aria-sort', 'descending');
  await page.getByRole('button', { name: 'Duration' }).click();
  await expect(listed(page)).toHaveText([/\/slow/, /\/deep/, /\/quick/]);
  await page.reload();
  await expect(listed(page)).toHaveText([/\/slow/, /\/deep/, /\/quick/]);
  // A request that arrives through the live feed is sorted into the list.
  await sendTraces(page, [request('/medium', 70, 2)]);
  await expect(listed(page)).toHaveText([/\/slow/, /\/medium/, /\/deep/, /\/quick/]);
  await page.getByRole('button', { name: 'Duration' }).click();
  await expect(page).not.toHaveURL(/sort=/);
  await page.setViewportSize({ width: 360, height: 740 });
  await page.getByRole('button', { name: 'Steps' }).click();
  await expect(listed(page)).toHaveText([/\/deep/, /\/quick/, /\/medium/, /\/slow/]);
  await expect.poll(() => findLayoutFaults(page)).toEqual([]);
});
