import type { Page } from '@playwright/test';

/** Opens the newest trace of the signed-in user, with the given URL parameters. */
export async function openOwnTrace(page: Page, search = ''): Promise<void> {
  const token = await page.evaluate(() => localStorage.getItem('auth_token'));
  const answer = await page.request.get('/api/traces?limit=1', {
    headers: { authorization: `Bearer ${token}` },
  });
  const { traces }: { traces: { _id: string }[] } = await answer.json();
  await page.goto(`/traces/${traces[0]?._id}${search}`);
}
