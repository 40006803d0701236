import { expect, type Locator, type Page } from '@playwright/test';
import type { Account } from '../people/people.ts';
import { signUpWithTraces } from '../people/signed-up.ts';
import { plainRequest } from '../traces/traces.ts';

/** Locates the rows of the dashboard's list. */
export const rows = (page: Page): Locator =>
  page.getByRole('table', { name: 'Recent traces' }).locator('[data-row]');
/** Locates the badge that shows whether the list is live. */
export const badge = (page: Page): Locator =>
  page.getByRole('status').filter({ hasText: /(Live|Reconnecting)$/ });

/** Registers a user with `count` traces, the newest of which is `/page/0`, and opens the dashboard. */
export async function openDashboard(page: Page, account: Account, count: number): Promise<void> {
  const now = Date.now();
  await signUpWithTraces(
    page,
    account,
    Array.from({ length: count }, (_, index) =>
      plainRequest(`/page/${index}`, new Date(now - 60_000 - index * 1000)),
    ),
  );
  await page.goto('/dashboard');
  await expect(rows(page).first()).toContainText('/page/0');
  await expect(badge(page)).toHaveText(/Live$/);
}
