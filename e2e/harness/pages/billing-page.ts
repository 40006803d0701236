import { expect, type Locator, type Page } from '@playwright/test';

/** Locates the current plan on the billing page. */
export const planNow = (page: Page): Locator => page.getByRole('region', { name: 'Current plan' });
export const dialog = (page: Page): Locator => page.getByRole('dialog');

/** Upgrades to a larger plan on the open billing page, in the payment sandbox. */
export async function upgrade(page: Page, plan: string): Promise<void> {
  await page.getByRole('button', { name: `Upgrade to ${plan}` }).click();
  await expect(dialog(page)).toContainText('Due now');
  await expect(dialog(page)).toContainText('Sandbox – no card is charged');
  await dialog(page).getByRole('button', { name: 'Upgrade Now' }).click();
  // Selects the last notice, because the notice of an earlier upgrade can still be visible.
  await expect(page.getByText(`Successfully upgraded to ${plan} plan!`).last()).toBeVisible();
  await expect(planNow(page).getByRole('heading', { name: plan })).toBeVisible();
}
