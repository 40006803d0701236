import { expect, type Page } from '@playwright/test';
import { expectAccessible } from '../harness/browser/accessible.ts';
import { findLayoutFaults } from '../harness/browser/layout.ts';
import type { Account } from '../harness/people/people.ts';
import { signUpWithTraces } from '../harness/people/signed-up.ts';
import { test } from '../harness/server/worker-server.ts';
import { failedOrder, plainRequest } from '../harness/traces/traces.ts';

async function signUpWithOrders(page: Page, account: Account): Promise<void> {
  const earlier = new Date(Date.now() - 60_000);
  await signUpWithTraces(page, account, [
    failedOrder(new Date()),
    plainRequest('/second', earlier),
    { ...plainRequest('/third', earlier), request: { method: 'PATCH', path: '/third', route: '/third' } },
  ]);
}

const bar = (page: Page) => page.getByRole('combobox', { name: 'Filter', exact: true });
const chips = (page: Page) => page.getByRole('group', { name: 'Active filters' });
const chip = (page: Page, term: string) => page.getByRole('button', { name: `Edit filter: ${term}` });
const rows = (page: Page) => page.locator('[data-row]');

test('filters from a link are shown as chips, and as values of the selects and of the search field @long', async ({
  page,
  ada,
}) => {
  await signUpWithOrders(page, ada);
  await page.goto(
    '/raw-traces?status=error&code=500&q=orders&min=1000&max=999999999999&exclude=-method%3APATCH',
  );
  await expect(rows(page)).toHaveCount(1);
  for (const term of ['status:error', 'status:500', 'duration:>=1s', '-method:PATCH', 'orders'])
    await expect(chip(page, term)).toBeVisible();
  await expect(page.getByRole('combobox', { name: 'Status' })).toHaveValue('error');

  await page.getByRole('combobox', { name: 'Status' }).selectOption('All');
  await expect(chip(page, 'status:error')).toHaveCount(0);
  await page.getByRole('button', { name: 'Remove filter: orders' }).click();
  await expect(page.getByRole('searchbox', { name: 'Search path or trace ID' })).toHaveValue('');
  for (const term of ['status:500', 'duration:>=1s'])
    await page.getByRole('button', { name: `Remove filter: ${term}` }).click();
  await expect(rows(page)).toHaveCount(2);
  await page.getByRole('button', { name: 'Remove filter: -method:PATCH' }).click();
  await expect(rows(page)).toHaveCount(3);
  await expect(page).not.toHaveURL(/exclude|code|min|q=/);
});

test('a query can be typed with completion, edited and undone by keyboard alone', async ({ page, ada }) => {
  await signUpWithOrders(page, ada);
  await page.goto('/raw-traces');
  await expect(rows(page)).toHaveCount(3);
  await bar(page).focus();
  await page.keyboard.type('-rou');
  await expect(page.getByRole('option', { name: /^-route:/ })).toBeVisible();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(bar(page)).toHaveValue('-route:');
  await expect(page.getByRole('option', { name: '-route:/third' })).toBeVisible();
  await expectAccessible(page, 'completion');
  await page.keyboard.type('/th');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(chip(page, '-route:/third')).toBeVisible();
  await expect(rows(page)).toHaveCount(2);
  await expect(page).toHaveURL(/exclude=-route/);

  await page.keyboard.type('method:POST error:"NO RATE"');
  await page.keyboard.press('Enter');
  await expect(rows(page)).toHaveCount(1);
  await expect(page.getByRole('combobox', { name: 'Method' })).toHaveValue('POST');
  await page.reload();
  await expect(rows(page)).toHaveCount(1);
  await expect(chips(page).getByRole('button', { name: /^Edit filter/ })).toHaveText([
    'method:POST',
    '-route:/third',
    'error:"NO RATE"',
  ]);

  await bar(page).focus();
  await page.keyboard.press('Backspace');
  await expect(bar(page)).toHaveValue('error:"NO RATE"');
  await page.keyboard.press('Escape');
  await expect(chip(page, 'error:"NO RATE"')).toBeVisible();
  await chip(page, 'method:POST').press('Enter');
  await page.keyboard.type('method:GET');
  await page.keyboard.press('Enter');
  await expect(chip(page, 'method:GET')).toBeVisible();
  await expect(page.getByText('No traces found')).toBeVisible();
  await expect(page).toHaveURL(/method=GET/);
});

test('the message about an invalid query names the position and a fix, and one click applies the fix @long', async ({
  page,
  ada,
}) => {
  await signUpWithOrders(page, ada);
  await page.goto('/dashboard');
  await bar(page).fill('user:19 stauts:5xx');
  await bar(page).press('Enter');
  const problem = page.getByRole('alert').filter({ hasText: 'Unknown field' });
  await expect(problem).toHaveText('Characters 9 to 14: Unknown field “stauts”. Did you mean “status”?');
  await expect(bar(page)).toHaveAttribute('aria-invalid', 'true');
  expect(await page.evaluate(() => getSelection()?.toString())).toBe('stauts');
  await expectAccessible(page, 'a query with a problem');
  await page.getByRole('button', { name: 'Replace with “status”' }).click();
  await expect(bar(page)).toHaveValue('user:19 status:5xx');
  await expect(problem).toHaveCount(0);
  await bar(page).press('Enter');
  await expect(chip(page, 'status:5xx')).toBeVisible();
  await expect(chip(page, 'user:19')).toBeVisible();
  await expect(page.getByText('No traces found')).toBeVisible();
});

test('by pointer and keyboard, the list can be filtered to the values of a row, and these values can be excluded @long', async ({
  page,
  ada,
}) => {
  await signUpWithOrders(page, ada);
  await page.goto('/raw-traces');
  await rows(page).first().click({ button: 'right' });
  await expectAccessible(page, "a row's menu");
  await page.getByRole('menuitem', { name: '-status:500' }).click();
  await expect(chip(page, '-status:500')).toBeVisible();
  await expect(rows(page)).toHaveCount(2);
  await page.keyboard.press('j');
  await page.keyboard.press('f');
  await expect(page.getByRole('menuitem', { name: /^method:/ })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(rows(page).first()).toBeFocused();
  await page.keyboard.press('f');
  // The menu moves the focus to its first item once the menu has opened. An earlier key press would reach the first item instead of the
  // chosen item.
  await expect(page.getByRole('menuitem').first()).toBeFocused();
  await page.getByRole('menuitem', { name: 'service:orders', exact: true }).press('Enter');
  await expect(chip(page, 'service:orders')).toBeVisible();
  await expect(rows(page)).toHaveCount(2);
});

test.describe('on a narrow screen', () => {
  test.use({ viewport: { width: 360, height: 740 }, hasTouch: true });

  test('chips and completions stay within the window @long', async ({ page, ada }) => {
    await signUpWithOrders(page, ada);
    const long = `a${'-very'.repeat(60)}-long-release`;
    const exclude = `-release:${long} -instance:w3 -user:19`;
    await page.goto(`/raw-traces?${new URLSearchParams({ status: 'error', exclude })}`);
    await expect(rows(page)).toHaveCount(1);
    await expect(chip(page, '-instance:w3')).toBeVisible();
    await bar(page).tap();
    await expect(page.getByRole('option', { name: /^status:/ })).toBeVisible();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
    const options = await page.getByRole('listbox', { name: 'Completions' }).boundingBox();
    expect(options?.x).toBeGreaterThanOrEqual(0);
    expect((options?.x ?? 0) + (options?.width ?? 0)).toBeLessThanOrEqual(360);
    await expectAccessible(page, 'completion at 360 pixels');
    await page.getByRole('option', { name: /^method:/ }).tap();
    await page.getByRole('option', { name: 'method:POST' }).tap();
    await expect(chip(page, 'method:POST')).toBeVisible();
    await expect(rows(page)).toHaveCount(1);
  });
});

test('a search over captured values can be typed, opened by a link and combined with filters, and explains mistakes', async ({
  page,
  ada,
}) => {
  await signUpWithOrders(page, ada);
  await page.goto('/raw-traces');
  await expect(rows(page)).toHaveCount(3);
  await bar(page).fill('value:taxOf.country>5x');
  await page.keyboard.press('Enter');
  await expect(page.getByText('“5x” is not a number. Compare with a number, such as')).toBeVisible();
  await bar(page).fill('value:taxOf.country="UK"');
  await page.keyboard.press('Enter');
  await expect(rows(page)).toHaveCount(1);
  await expect(page).toHaveURL(/value=taxOf\.country/);
  await page.reload();
  await expect(rows(page)).toHaveCount(1);
  await expect(page.getByText('Showing 1 of 1 traces')).toBeVisible();
  await page.getByRole('button', { name: /^Remove filter: .*taxOf\.country/ }).click();
  await bar(page).fill('-value:taxOf.country="UK"');
  await page.keyboard.press('Enter');
  await expect(rows(page)).toHaveCount(2);
  await bar(page).fill('value:taxOf.country=FR');
  await page.keyboard.press('Enter');
  await expect(page.getByText('No traces found', { exact: true })).toBeVisible();
});

test('the filter bar stays in its place while charts load, and if few or no requests match', async ({
  page,
  ada,
}) => {
  await signUpWithOrders(page, ada);
  const arrived = Promise.withResolvers<void>();
  await page.route('**/api/traces/facets?*', async (route) => {
    await arrived.promise;
    await route.continue();
  });
  await page.goto('/raw-traces?code=500');
  await expect(rows(page)).toHaveCount(1);
  const readTop = async () => (await bar(page).boundingBox())?.y;
  const top = await readTop();
  arrived.resolve();
  await expect(page.getByRole('application', { name: /^Requests over time/ })).toBeVisible();
  expect(await readTop()).toBe(top);
  await page.getByRole('button', { name: 'Remove filter: status:500' }).click();
  await expect(rows(page)).toHaveCount(3);
  expect(await readTop()).toBe(top);
  await bar(page).fill('status:404');
  await page.keyboard.press('Enter');
  await expect(page.getByText('No requests to show in the charts')).toBeVisible();
  expect(await readTop()).toBe(top);
});

test('a search that has not reached the start of the range shows which time it has covered, and continues @long', async ({
  page,
  ada,
}) => {
  await signUpWithOrders(page, ada);
  // A search reaches its time limit only with millions of steps, so the test makes the first response report this limit.
  let isFirst = true;
  await page.route('**/api/traces?*', async (route) => {
    const response = await route.fetch();
    const json: Record<string, unknown> = await response.json();
    const search = { since: '2026-11-01T14:05:00.000000Z', limit: 'time' };
    await route.fulfill({ response, json: isFirst ? { ...json, search } : json });
    isFirst = false;
  });
  await page.goto('/raw-traces?value=UK');
  const note = page.getByRole('note').filter({ hasText: 'Searched back to 2026-11-01' });
  await expect(note).toBeVisible();
  await expectAccessible(page, 'a search that can be continued');
  await note.getByRole('button', { name: 'Continue searching' }).click();
  await expect(note).toHaveCount(0);
  await expect(rows(page)).toHaveCount(1);
});

test('charts cover the same time as the search of the list, or show that they cover less @long', async ({
  page,
  ada,
}) => {
  await signUpWithOrders(page, ada);
  const since = '2026-01-01T14:05:00.000000Z';
  await page.route('**/api/traces?*', async (route) => {
    const response = await route.fetch();
    const json: Record<string, unknown> = await response.json();
    await route.fulfill({ response, json: { ...json, search: { since, limit: 'time' } } });
  });
  const asked: (string | null)[] = [];
  // The first response covers less time than the list, as if the charts' search had reached its time limit earlier.
  await page.route('**/api/traces/facets?*', async (route) => {
    asked.push(new URL(route.request().url()).searchParams.get('searchedSince'));
    const response = await route.fetch();
    const json: Record<string, unknown> = await response.json();
    const search = { since: '2026-02-03T04:05:06.000000Z', limit: 'time' };
    await route.fulfill({ response, json: asked.length === 1 ? { ...json, total: 2, search } : json });
  });
  await page.goto('/raw-traces?value=UK&min=0');
  const note = page.getByRole('region', { name: 'Charts' }).getByRole('note');
  await expect(note).toHaveText(/^The charts contain only requests since 2026-02-03/);
  // The search of the charts continues until it covers the same time as the search of the list.
  await expect(note).toHaveCount(0);
  expect(new Set(asked)).toEqual(new Set([since]));
});

test('a search over captured values is announced while it runs, and the buttons of the list stay in place if it fails', async ({
  page,
  ada,
}) => {
  await signUpWithOrders(page, ada);
  let answer = () => {};
  const isAnswered = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await page.route('**/api/traces?*', async (route) => {
    await isAnswered;
    await route.fulfill({ status: 500, json: {} });
  });
  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto('/dashboard?value=taxOf.country%3DUK');
  await expect(page.getByText('Searching captured values…')).toBeVisible();
  expect(await findLayoutFaults(page)).toEqual([]);
  const views = page.getByRole('button', { name: 'Views' });
  const findLeft = async () => (await views.boundingBox())?.x;
  const left = await findLeft();
  answer();
  await expect(page.getByRole('alert')).toContainText('Traces could not be loaded.');
  await expect(page.getByText('Searching captured values…')).toHaveCount(0);
  expect(await findLayoutFaults(page)).toEqual([]);
  expect(await findLeft()).toBe(left);
  await page.unrouteAll();
  await page.getByRole('button', { name: 'Try Again' }).click();
  await expect(rows(page)).toHaveCount(1);
});
