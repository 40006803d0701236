import { expect, type Locator, type Page } from '@playwright/test';
import type { Account } from '../harness/people/people.ts';
import { signUpWithTraces } from '../harness/people/signed-up.ts';
import { test } from '../harness/server/worker-server.ts';
import { failedOrder, plainRequest } from '../harness/traces/traces.ts';

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
  // Pressing the key again shows all requests.
  for (const key of ['Escape', 'e']) await page.keyboard.press(key);
  await expect(page.locator('[data-row]')).toHaveCount(5);
});
