import { expect, type Page } from '@playwright/test';

/** Returns the newest link that contains `part` in the mails to the address. Reads the developer's outbox. */
export async function mailLink(page: Page, email: string, part: string): Promise<string> {
  const outbox = await page.context().newPage();
  await outbox.goto('/dev/outbox');
  const link = outbox
    .getByRole('article')
    .filter({ hasText: `To: ${email}` })
    .getByRole('link', { name: part })
    .first();
  await expect(async () => {
    await outbox.reload();
    await expect(link).toBeVisible({ timeout: 500 });
  }).toPass();
  const address = (await link.getAttribute('href')) ?? '';
  await outbox.close();
  return address;
}
