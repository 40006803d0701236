import { expect, type Page } from '@playwright/test';
import { expectAccessibleInBoth } from '../harness/browser/accessible.ts';
import { findLayoutFaults } from '../harness/browser/layout.ts';
import { signUp } from '../harness/people/signed-up.ts';
import { test } from '../harness/server/worker-server.ts';

const PHONE = { width: 360, height: 740 };
const section = (page: Page) => page.getByRole('region', { name: 'Access tokens', exact: true });
const newToken = (page: Page) => section(page).getByRole('textbox', { name: 'New token' });
const tokens = (page: Page) =>
  page.getByRole('table', { name: 'Your access tokens' }).locator('tbody [data-label="Name"]');

/** Returns the status of the response to a request with the token. */
async function readWith(page: Page, token: string, path = '/api/traces'): Promise<number> {
  const answer = await page.request.get(path, { headers: { authorization: `Bearer ${token}` } });
  return answer.status();
}

/** Saves a picture in light and in dark mode if the variable PICTURES names a folder. */
async function picture(page: Page, name: string): Promise<void> {
  if (process.env.PICTURES === undefined) return;
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await section(page).screenshot({ path: `${process.env.PICTURES}/${name}-${colorScheme}.png` });
  }
}

test('an access token is created, copied once and revoked by keyboard', async ({ page, context, ada }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await signUp(page, ada);
  await page.goto('/settings?tab=security');
  await expect(section(page).getByText('You have no access tokens.')).toBeVisible();
  const name = section(page).getByLabel('Name');
  await name.press('Enter');
  await expect(section(page).getByRole('alert')).toContainText('Enter a name for the token');
  await name.fill('Build server');
  await page.keyboard.press('Tab');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');

  await expect(newToken(page)).toBeFocused();
  await expect(newToken(page)).toHaveValue(/^tlr_\w{43}$/);
  await expect(name).toHaveValue('');
  const token = await newToken(page).inputValue();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect(section(page).getByRole('button', { name: 'Copied' })).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(token);
  await picture(page, 'tokens-1440');
  expect(await readWith(page, token)).toBe(200);
  expect(await readWith(page, token, '/api/auth/sessions')).toBe(403);

  await page.reload();
  await expect(tokens(page)).toHaveText(['Build server']);
  await expect(newToken(page)).toBeHidden();
  expect(await page.content()).not.toContain(token.slice(4));
  await section(page).getByRole('button', { name: 'Revoke : Build server' }).press('Enter');
  await expect(section(page).getByText('The access token was revoked.')).toBeVisible();
  await expect(tokens(page)).toHaveCount(0);
  await expect(section(page).getByText('You have no access tokens.')).toBeVisible();
  await expect(section(page).getByRole('heading', { name: 'Access tokens' })).toBeFocused();
  expect(await readWith(page, token)).toBe(401);
});

test('access tokens are cards on a phone, and show whether they are used or expired', async ({
  page,
  ada,
}) => {
  const daysFromNow = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();
  const accessTokens = [
    ['Build server', 90, daysFromNow(-0.01)],
    ['A long name of a token that somebody has chosen for a script on a laptop in Vienna', 7, null],
    ['Old laptop', -2, daysFromNow(-3)],
  ].map(([name, days, lastUsedAt]) => ({
    ...{ id: crypto.randomUUID(), name, createdAt: daysFromNow(-10), expiresAt: daysFromNow(Number(days)) },
    ...{ expired: Number(days) < 0, lastUsedAt },
  }));
  await page.route('**/api/auth/access-tokens', (route) =>
    route.request().method() === 'GET' ? route.fulfill({ json: { accessTokens } }) : route.fallback(),
  );
  await signUp(page, ada);
  await page.goto('/settings?tab=security');
  await expect(tokens(page)).toHaveCount(3);
  await expect(section(page).getByRole('button', { name: 'Remove : Old laptop' })).toBeVisible();
  await expect(tokens(page).last()).toHaveText('Old laptopExpired');
  await expectAccessibleInBoth(page, 'the table of access tokens');
  await picture(page, 'tokens-of-each-kind-1440');
  await page.setViewportSize(PHONE);
  await expect(page.getByRole('combobox', { name: 'Sort Your access tokens' })).toBeVisible();
  await section(page).getByLabel('Name').fill('Phone');
  await section(page).getByRole('button', { name: 'Create token' }).click();
  await expect(newToken(page)).toBeVisible();
  expect(await findLayoutFaults(page)).toEqual([]);
  await expectAccessibleInBoth(page, 'the cards of access tokens');
  await picture(page, 'tokens-360');
});
