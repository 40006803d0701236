import type { Page } from '@playwright/test';

/** Locates the button that shows a page's time range and opens the panel to choose another. */
export const timeButton = (page: Page) => page.getByRole('button', { name: /^Time: / });

/** Locates the open panel to choose a time range. */
export const timePanel = (page: Page) => page.getByRole('group', { name: 'Time range' });

/** Chooses a range that ends now, such as "Last hour", or "All time". */
export async function chooseTime(page: Page, name: string): Promise<void> {
  await timeButton(page).click();
  await timePanel(page).getByRole('button', { name, exact: true }).click();
}
