import { expect, type Locator, type Page } from '@playwright/test';
import { expectNoViolation } from '../harness/browser/accessible.ts';
import type { Account } from '../harness/people/people.ts';
import { addProject, signUp, signUpWithTraces } from '../harness/people/signed-up.ts';
import { test } from '../harness/server/worker-server.ts';
import { checkoutTrace } from '../harness/traces/checkout.ts';
import { failedOrder, plainRequest, sendTraces } from '../harness/traces/traces.ts';

/** Counts a simulated user's clicks and keys. */
class Walk {
  readonly #page: Page;
  readonly #began = Date.now();
  clicks = 0;
  keys = 0;

  constructor(page: Page) {
    this.#page = page;
  }

  async click(what: Locator): Promise<void> {
    this.clicks += 1;
    await what.click();
  }

  async press(key: string): Promise<void> {
    this.keys += 1;
    await this.#page.keyboard.press(key);
  }

  /** Adds the counts and the duration to the test's report. The duration is not asserted, because it depends on the machine. */
  note(): void {
    const seconds = ((Date.now() - this.#began) / 1000).toFixed(1);
    const description = `${this.clicks} clicks, ${this.keys} keys, ${seconds} s`;
    test.info().annotations.push({ type: 'walk', description });
    process.stdout.write(`${test.info().title}: ${description}\n`);
  }
}

const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000);

/** Opens a list of checkouts. The six newest checkouts failed; they belong to three users. */
async function openFailedCheckouts(page: Page, account: Account): Promise<void> {
  const checkout = (country: 'UK' | 'GB', user: string, minutes: number) => ({
    ...checkoutTrace({ at: minutesAgo(minutes), country, user }),
    user: { id: user },
  });
  await signUpWithTraces(page, account, [
    ...[1, 2, 3, 4, 5, 6].map((minutes) => checkout('UK', `u-${minutes % 3}`, minutes)),
    ...[7, 8, 9].map((minutes) => checkout('GB', `u-${minutes}`, minutes)),
  ]);
  await page.goto('/dashboard');
  await expect(page.locator('[data-row]')).toHaveCount(9);
}

/** Opens a list in which the third request failed. */
async function openList(page: Page, account: Account): Promise<void> {
  const now = Date.now();
  const plain = (index: number) => plainRequest(`/parts/${index}`, new Date(now - index * 1000));
  const traces = [plain(0), plain(1), failedOrder(new Date(now - 2000)), plain(3), plain(4)];
  await signUpWithTraces(page, account, traces);
  await page.goto('/dashboard');
  await expect(page.locator('[data-row]')).toHaveCount(5);
}

/** Checks that the wrong value is visible next to the line where it was wrong. */
async function expectWrongValueInView(page: Page): Promise<void> {
  const step = page.getByRole('region', { name: /^Step \d+: taxOf/ });
  await expect(step.getByText('src/tax.ts:18').first()).toBeInViewport();
  await expect(step.getByRole('tree', { name: 'Local variables' }).getByText('undefined')).toBeInViewport();
}

test('the wrong value of a failed request is found with one click @long', async ({ page, ada }) => {
  await openList(page, ada);
  const walk = new Walk(page);
  const failed = page.getByRole('row', { name: /500/ });
  await walk.click(failed.getByRole('button', { name: 'View' }));
  await expectWrongValueInView(page);
  walk.note();
  expect(walk.clicks).toBe(1);
});

test('the wrong value of a failed request is found with three keys @long', async ({ page, ada }) => {
  await openList(page, ada);
  const walk = new Walk(page);
  await walk.press('e');
  await expect(page.locator('[data-row]')).toHaveCount(1);
  for (const key of ['j', 'Enter']) await walk.press(key);
  await expectWrongValueInView(page);
  walk.note();
  expect(walk.keys).toBe(3);
  // Pressing `e` again shows all requests.
  for (const key of ['Escape', 'e']) await page.keyboard.press(key);
  await expect(page.locator('[data-row]')).toHaveCount(5);
});

test('the users whom an error affects are seen after two clicks @long', async ({ page, ada }) => {
  await openFailedCheckouts(page, ada);
  const walk = new Walk(page);
  await walk.click(page.getByRole('link', { name: 'Errors', exact: true }));
  await walk.click(page.getByRole('link', { name: /^Cannot read .*reading 'rate'/ }));
  // The values of the function that threw are loaded later, above the panel of all affected users.
  await expect(page.getByRole('link', { name: '"UK"' })).toBeVisible();
  for (const user of ['u-0', 'u-1', 'u-2']) {
    await expect(page.getByRole('link', { name: user, exact: true }).first()).toBeInViewport({ ratio: 1 });
  }
  walk.note();
  expect(walk.clicks).toBe(2);
});

test('all requests of a user are listed after two clicks @long', async ({ page, ada }) => {
  await openFailedCheckouts(page, ada);
  const walk = new Walk(page);
  await walk.click(page.getByRole('row', { name: /500/ }).first().getByRole('button', { name: 'View' }));
  await walk.click(page.getByRole('dialog').getByRole('link', { name: /^user u-1/ }));
  await expect(page.getByText('Showing 2 of 2 traces')).toBeInViewport();
  walk.note();
  expect(walk.clicks).toBe(2);
});

test('the slowest endpoint since the newest release is seen after two clicks, and so are the endpoints with the most errors @long', async ({
  page,
  ada,
}) => {
  await signUp(page, ada);
  await addProject(page, 'orders');
  const request = (path: string, duration: number, minutes: number) => ({
    ...plainRequest(path, minutesAgo(minutes)),
    timing: { startTime: minutesAgo(minutes).toISOString(), duration },
  });
  await sendTraces(page, [request('/archive', 9000, 30)], { name: 'orders', release: '1.4.1' });
  await sendTraces(page, [request('/parts', 5, 9), request('/report', 2000, 5), failedOrder(minutesAgo(3))], {
    name: 'orders',
    release: '1.4.2',
  });
  await page.goto('/dashboard');
  await expect(page.locator('[data-row]')).toHaveCount(4);
  const walk = new Walk(page);
  const views = page.getByRole('button', { name: 'Views', exact: true });
  const menu = page.getByRole('group', { name: 'Since release 1.4.2' });
  const endpoints = page.getByRole('table', { name: 'Traces by endpoint' }).locator('tbody').getByRole('row');
  await walk.click(views);
  await walk.click(menu.getByRole('menuitem', { name: 'Slowest endpoints' }));
  await expect(endpoints).toHaveText([/^GET \/report/, /^POST \/orders\/:id/, /^GET \/parts/]);
  await expect(endpoints.first()).toBeInViewport();
  await expect(page.getByRole('button', { name: 'Time: Since 1.4.2' })).toBeVisible();
  walk.note();
  expect(walk.clicks).toBe(2);

  await views.click();
  await expectNoViolation(page, 'the menu with views of a release');
  await menu.getByRole('menuitem', { name: 'Endpoints with the most errors' }).press('Enter');
  await expect(endpoints.first()).toHaveText(/^POST \/orders\/:id/);
});

test('a request with many equal calls opens on the only slow call @long', async ({ page, ada }) => {
  const at = minutesAgo(1);
  const calls = Array.from({ length: 60 }, (_, index) => ({
    stepId: `item-${index}`,
    parentStepId: 'feed',
    stepName: 'loadItem',
    functionName: 'loadItem',
    stepType: 'function',
    startTime: new Date(at.getTime() + index).toISOString(),
    duration: index === 41 ? 640 : 0.9,
    inputs: { id: 500 + index },
  }));
  const feed = { stepId: 'feed', stepName: 'loadFeed', stepType: 'handler', duration: 705 };
  await signUpWithTraces(page, ada, [
    {
      ...plainRequest('/feed', at),
      timing: { startTime: at.toISOString(), duration: 710 },
      flow: [{ ...feed, startTime: at.toISOString() }, ...calls],
    },
  ]);
  await page.goto('/dashboard');
  const walk = new Walk(page);
  await walk.click(page.getByRole('button', { name: 'View', exact: true }));
  const selected = page.getByRole('tree', { name: 'Steps' }).getByRole('treeitem', { selected: true });
  await expect(selected).toContainText(/loadItem.*541/);
  await expect(selected).toBeInViewport();
  await expect(page.getByText(/ran 60 times: .*; one call took 640 ms/)).toBeInViewport();
  walk.note();
  expect(walk.clicks).toBe(1);
});
