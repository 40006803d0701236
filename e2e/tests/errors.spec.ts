import { expect, type Page } from '@playwright/test';
import { expectAccessibleInBoth } from '../harness/browser/accessible.ts';
import { findLayoutFaults } from '../harness/browser/layout.ts';
import { addProject, signUp, signUpWithTraces } from '../harness/people/signed-up.ts';
import { test } from '../harness/server/worker-server.ts';
import { checkoutTrace } from '../harness/traces/checkout.ts';
import { sendTraces } from '../harness/traces/traces.ts';

const secondsAgo = (seconds: number) => new Date(Date.now() - seconds * 1000);
const MESSAGE = "Cannot read properties of undefined (reading 'rate')";
const rows = (page: Page) =>
  page.getByRole('table', { name: 'Errors' }).getByRole('row').filter({ hasText: MESSAGE });

/** Opens the page of the only listed error. */
const openError = (page: Page) => rows(page).getByRole('link', { name: MESSAGE, exact: true }).click();

const of = (country: 'UK' | 'GB', user: string, seconds: number) => ({
  ...checkoutTrace({ at: secondsAgo(seconds), country, user }),
  user: { id: user },
});
const requests = () => [
  ...[1, 2, 3, 4].map((at) => of('UK', 'u-9', at)),
  ...[1, 2, 3, 4].map((at) => of('GB', `u-${at}`, 10 + at)),
];

test('errors are listed with their counts and users, and link to the affected users and to a comparison', async ({
  page,
  ada,
}) => {
  await signUpWithTraces(page, ada, requests());
  await page.goto('/dashboard');
  await page.getByRole('link', { name: 'Errors', exact: true }).click();
  await expect(rows(page)).toHaveCount(1);
  await expect(rows(page)).toContainText('New');
  await expect(rows(page).getByRole('cell').nth(3)).toHaveText('4');
  await expect(rows(page).getByRole('cell').nth(4)).toHaveText('1');
  await expectAccessibleInBoth(page, 'the list of errors');
  await openError(page);
  await expect(page.getByRole('heading', { name: MESSAGE })).toBeVisible();
  await expect(page.getByRole('region', { name: 'What failing requests share' })).toContainText(
    '100 % of failing requests, 0 % of successful ones',
  );
  const values = page.getByRole('region', { name: 'Values in the function that threw' });
  await expect(values.getByRole('listitem').first()).toContainText(
    /country.*"UK".*100 % of failing calls, 0 % of successful ones/,
  );
  await expect(values.getByRole('link', { name: '"UK"' })).toHaveAttribute('href', /step=taxFor/);
  await expect(page.getByText(/POST \/checkout · TypeError in taxFor/)).toBeVisible();
  await expect(page.getByRole('region', { name: 'Affected users' })).toContainText('4 requests');
  await expectAccessibleInBoth(page, 'an error');
  await page.reload();
  await expect(page.getByRole('heading', { name: MESSAGE })).toBeVisible();
  await page.getByRole('link', { name: 'Compare with a successful request' }).first().click();
  await expect(page.getByText('country is "UK" instead of "GB"').first()).toBeVisible();
  await page.goBack();
  await page
    .getByRole('region', { name: 'Affected users' })
    .getByRole('link', { name: 'u-9', exact: true })
    .click();
  await expect(page.locator('[data-row]')).toHaveCount(4);
  await page.goBack();
  const affected = page.getByRole('region', { name: 'Affected users' });
  await affected.getByRole('link', { name: 'Filter out u-9' }).click();
  await expect(page.getByRole('group', { name: 'Active filters' })).toContainText('-user:u-9');
  await expect(page.locator('[data-row]')).toHaveCount(0);
  await page.goBack();
  const shared = page.getByRole('region', { name: 'What failing requests share' });
  await shared
    .getByRole('link', { name: /^Filter out/ })
    .first()
    .click();
  await expect(page.getByRole('group', { name: 'Active filters' })).toContainText(/ -|-\w+:/);
});

test('by keyboard, the links of an error in the list open the requests of the error, and the failed requests with other errors', async ({
  page,
  ada,
}) => {
  const timedOut = { ...of('UK', 'u-3', 20), error: { hasError: true, errorMessage: 'timed out' }, flow: [] };
  await signUpWithTraces(page, ada, [...requests(), timedOut]);
  const chips = page.getByRole('group', { name: 'Active filters' });
  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto('/errors');
  await expect(rows(page)).toHaveCount(1);
  expect(await findLayoutFaults(page)).toEqual([]);
  await rows(page).getByRole('link', { name: MESSAGE, exact: true }).focus();
  await page.keyboard.press('Tab');
  await expect(page.getByRole('link', { name: `Filter for ${MESSAGE}` })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(chips).toContainText('errorGroup:');
  await expect(page.locator('[data-row]')).toHaveCount(4);
  await page.goBack();
  await page.getByRole('link', { name: `Filter out ${MESSAGE}` }).press('Enter');
  await expect(chips).toContainText('-errorGroup:');
  await expect(page.locator('[data-row]')).toHaveCount(1);
  await expect(page.locator('[data-row]')).toContainText('/checkout');
});

test('a resolved error reopens when it occurs again, and an error can be ignored @long', async ({
  page,
  ada,
}) => {
  await signUpWithTraces(page, ada, requests());
  await page.goto('/errors');
  await openError(page);
  await page.getByRole('textbox', { name: 'Note' }).fill('a row of the table is missing');
  await page.getByRole('button', { name: 'Save note' }).click();
  await expect(page.getByRole('button', { name: 'Save note' })).toBeDisabled();
  await page.getByRole('button', { name: 'Resolve' }).click();
  await page.getByRole('menuitem', { name: 'Resolved now' }).click();
  await expect(page.getByText('Resolved by Ada Lovelace')).toBeVisible();
  await page.getByRole('link', { name: 'All errors' }).click();
  await expect(page.getByText('No open errors in this range')).toBeVisible();
  await page.getByText('Resolved', { exact: true }).click();
  await expect(rows(page)).toHaveCount(1);
  await sendTraces(page, [of('UK', 'u-9', 0)]);
  await page.goto('/errors');
  await expect(rows(page)).toContainText('Reopened');
  await openError(page);
  await expect(page.getByRole('textbox', { name: 'Note' })).toHaveValue('a row of the table is missing');
  await page.getByRole('button', { name: 'Ignore' }).click();
  await expect(page.getByRole('button', { name: 'Reopen' })).toBeVisible();
});

test('an error can be assigned to a user, is then listed by the filter Assigned to me, and can be unassigned @long', async ({
  page,
  ada,
}) => {
  await signUpWithTraces(page, ada, requests());
  await page.goto('/errors');
  await page.getByLabel('Assigned to me').check();
  await expect(page.getByText('No open errors in this range are assigned to you')).toBeVisible();
  await page.getByLabel('Assigned to me').uncheck();
  await openError(page);
  await page.getByRole('combobox', { name: 'Assignee' }).selectOption('Ada Lovelace');
  await page.getByRole('link', { name: 'All errors' }).click();
  await expect(rows(page)).toContainText('Assigned to Ada Lovelace');
  await page.getByLabel('Assigned to me').check();
  await expect(page).toHaveURL(/assigned=me/);
  await page.reload();
  await expect(rows(page)).toHaveCount(1);
  await openError(page);
  await page.getByRole('combobox', { name: 'Assignee' }).selectOption('Not assigned');
  await page.getByRole('link', { name: 'All errors' }).click();
  await expect(page.getByText('No open errors in this range are assigned to you')).toBeVisible();
});

test('functions that throw the same message have separate errors, which link to their own requests', async ({
  page,
  ada,
}) => {
  const failedIn = (name: string, seconds: number) => {
    const trace = JSON.stringify(of('UK', 'u-9', seconds));
    return JSON.parse(trace.replaceAll('"taxFor"', `"${name}"`));
  };
  await signUpWithTraces(page, ada, [
    ...[1, 2, 3].map((at) => failedIn('taxFor', at)),
    ...[4, 5].map((at) => failedIn('feeFor', at)),
    failedIn('dutyFor', 30 * 60),
  ]);
  const findRow = (name: string) => rows(page).filter({ hasText: `TypeError in ${name}, src/checkout.ts` });
  const requests = page.getByRole('definition').first().getByRole('link');
  await page.goto('/errors');
  await expect(rows(page)).toHaveCount(3);
  await expect(findRow('taxFor').getByRole('cell').nth(3)).toHaveText('3');
  await expect(findRow('feeFor').getByRole('cell').nth(3)).toHaveText('2');
  await expectAccessibleInBoth(page, 'errors of two functions');
  await findRow('taxFor').getByRole('link', { name: MESSAGE, exact: true }).click();
  await expect(page.getByText('TypeError in taxFor, src/checkout.ts')).toBeVisible();
  await expectAccessibleInBoth(page, 'the error of one function');
  await requests.click();
  await expect(page.locator('[data-row]')).toHaveCount(3);
  await page.goBack();
  const others = page.getByRole('region', { name: 'Same message in other functions' });
  await others.getByRole('link', { name: 'TypeError in dutyFor, src/checkout.ts' }).click();
  await others.getByRole('link', { name: 'TypeError in feeFor, src/checkout.ts' }).click();
  await expect(others.getByRole('listitem').filter({ hasText: 'taxFor' })).toContainText('3 requests');
  await page.goto(`${page.url()}&last=15m`);
  await expect(others.getByRole('listitem').filter({ hasText: 'dutyFor' })).toContainText(
    'No requests in this time range',
  );
  await expect(others.getByRole('link')).toHaveText(['TypeError in taxFor, src/checkout.ts']);
  await requests.click();
  await expect(page.locator('[data-row]')).toHaveCount(2);
});

test('errors can be merged in the list and on an error’s page, and split again @long', async ({
  page,
  ada,
}) => {
  const failed = (message: string, seconds: number) => ({
    ...of('UK', 'u-9', seconds),
    error: { hasError: true, errorMessage: message },
  });
  await signUpWithTraces(page, ada, [
    ...[1, 2, 3].map((at) => failed('card declined', at)),
    ...[4, 5].map((at) => failed('card refused', at)),
    failed('timed out', 6),
  ]);
  const row = (message: string) =>
    page.getByRole('table', { name: 'Errors' }).getByRole('row').filter({ hasText: message });
  await page.goto('/errors');
  await page.getByRole('checkbox', { name: 'Select card refused' }).check();
  await expect(page.getByRole('button', { name: 'Merge…' })).toBeDisabled();
  await page.getByRole('checkbox', { name: 'Select card declined' }).check();
  await page.getByRole('button', { name: 'Merge…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Merge 2 errors' });
  await expect(dialog.getByRole('radio', { name: 'card declined' })).toBeChecked();
  await expectAccessibleInBoth(page, 'merging errors');
  await dialog.getByRole('button', { name: 'Merge', exact: true }).click();
  await expect(row('card refused')).toHaveCount(0);
  await expect(row('card declined')).toContainText('2 merged errors');
  await expect(row('card declined').getByRole('cell').nth(3)).toHaveText('5');

  await row('timed out').getByRole('link', { name: 'timed out', exact: true }).click();
  await page.getByRole('button', { name: 'Merge into…' }).click();
  await page.getByRole('textbox', { name: 'Find an error' }).fill('DECL');
  await expect(page.getByRole('radio')).toHaveCount(1);
  await page.getByRole('dialog').getByRole('button', { name: 'Merge', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'card declined' })).toBeVisible();
  const parts = page.getByRole('region', { name: 'Merged errors' }).getByRole('listitem');
  await expect(parts).toHaveCount(3);
  await expectAccessibleInBoth(page, 'a merged error');
  await parts.filter({ hasText: 'card refused' }).getByRole('link').click();
  await expect(page.locator('[data-row]')).toHaveCount(2);
  await page.goBack();
  await page.getByRole('button', { name: 'Split off timed out' }).click();
  await expect(parts).toHaveCount(2);
  await page.getByRole('button', { name: 'Split off card refused' }).click();
  await expect(parts).toHaveCount(0);
  await page.getByRole('link', { name: 'All errors' }).click();
  await expect(page.getByRole('table', { name: 'Errors' }).getByRole('row')).toHaveCount(4);
});

test('the search field for the target of a merge has the focus, and stays while errors load and if errors cannot be loaded', async ({
  page,
  ada,
}) => {
  await signUpWithTraces(page, ada, [
    of('UK', 'u-1', 1),
    { ...of('UK', 'u-2', 2), error: { hasError: true, errorMessage: 'card declined' } },
    { ...of('UK', 'u-3', 3), error: { hasError: true, errorMessage: 'disk full' } },
  ]);
  let answer = () => {};
  const isAnswered = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await page.goto('/errors');
  await openError(page);
  await page.route('**/errors?*state=all*', async (route) => {
    await isAnswered;
    await route.fallback();
  });
  await page.getByRole('button', { name: 'Merge into…' }).press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Merge into another error' });
  const field = dialog.getByRole('textbox', { name: 'Find an error' });
  await expect(dialog.getByText('Loading errors…')).toBeAttached();
  await expect(field).toBeFocused();
  answer();
  await expect(dialog.getByRole('radio', { name: 'card declined' })).not.toBeChecked();
  await expect(dialog.getByRole('button', { name: 'Merge', exact: true })).toBeDisabled();
  await expect(field).toBeFocused();

  await page.route('**/errors?*search=*', (route) => route.abort());
  await page.keyboard.type('card');
  await expect(dialog.getByText('The errors could not be loaded.')).toBeVisible();
  await expect(field).toHaveValue('card');
  await expectAccessibleInBoth(page, 'a failed search for the target of a merge');
  await page.unroute('**/errors?*search=*');
  await page.keyboard.type(' declined');
  await expect(dialog.getByRole('button', { name: 'Merge', exact: true })).toBeEnabled();
  await expect(dialog.getByRole('radio')).toHaveCount(1);
});

test('an empty error list, an unknown error and a failed load each show a message @long', async ({
  page,
  ada,
}) => {
  await signUp(page, ada);
  await addProject(page, 'orders');
  await page.goto('/errors');
  await expect(page.getByText('No open errors in this range')).toBeVisible();
  await page.goto(`/errors?error=${'0'.repeat(32)}`);
  await expect(page.getByText('No such error in this range')).toBeVisible();
  await page.route('**/errors?*', (route) => route.abort());
  await page.goto('/errors');
  await expect(page.getByText('The errors could not be loaded.')).toBeVisible();
  await page.unroute('**/errors?*');
  await page.getByRole('button', { name: 'Try Again' }).click();
  await expect(page.getByText('No open errors in this range')).toBeVisible();
});

test('errors fit every width @long', async ({ page, ada }) => {
  await signUpWithTraces(page, ada, requests());
  for (const view of ['list', 'detail']) {
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.goto('/errors');
    await expect(rows(page)).toHaveCount(1);
    if (view === 'detail') await openError(page);
    await expect(page.getByText(MESSAGE).first()).toBeVisible();
    for (const width of [1440, 900, 768, 360]) {
      await page.setViewportSize({ width, height: 800 });
      const measureOverflow = () =>
        page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
      await expect.poll(measureOverflow, `${view} at ${width}`).toBeLessThanOrEqual(0);
      if (process.env.PICTURES !== undefined)
        await page.screenshot({
          path: `${process.env.PICTURES}/errors-${view}-${width}.png`,
          fullPage: true,
        });
    }
  }
});

test('a failure to load errors fits a phone, with the whole label of the button that copies the request id', async ({
  page,
  ada,
}) => {
  await signUp(page, ada);
  await addProject(page, 'orders');
  const error = { code: 'internal', message: 'Failed', requestId: '01a2299b-d875-717e-b941-c047b3172bd4' };
  await page.route('**/api/projects/*/errors?*', (route) =>
    route.fulfill({ status: 500, json: { success: false, error } }),
  );
  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto('/errors');
  await expect(page.getByRole('button', { name: 'Copy request id' })).toBeVisible();
  expect(await findLayoutFaults(page)).toEqual([]);
  await page.unrouteAll();
  await page.getByRole('button', { name: 'Try Again' }).click();
  await expect(page.getByText('No open errors in this range')).toBeVisible();
});

test('if the comparison of an error fails to load, the rest of the page is shown, and a retry shows the comparison', async ({
  page,
  ada,
}) => {
  await signUpWithTraces(page, ada, requests());
  await page.route(/\/comparison\?/, (route) => route.fulfill({ status: 503, json: {} }));
  await page.goto('/errors');
  await openError(page);
  const comparison = page.getByRole('region', { name: 'What failing requests share' });
  await expect(comparison).toContainText('The comparison could not be loaded.');
  await expect(page.getByRole('region', { name: 'Affected users' })).toContainText('4 requests');
  await page.unrouteAll();
  await comparison.getByRole('button', { name: 'Try Again' }).click();
  await expect(comparison).toContainText('100 % of failing requests, 0 % of successful ones');
});
