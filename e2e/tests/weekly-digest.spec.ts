import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, type Page } from '@playwright/test';
import { createUnsubscribeToken } from '../../apps/server/src/features/digest/unsubscribe-link.ts';
import type { UserId } from '../../apps/server/src/platform/ids.ts';
import { createSealer } from '../../apps/server/src/platform/start/secrets.ts';
import { expectAccessibleInBoth } from '../harness/browser/accessible.ts';
import { findLayoutFaults } from '../harness/browser/layout.ts';
import { signUp } from '../harness/people/signed-up.ts';
import { test } from '../harness/server/worker-server.ts';

const findSwitch = (page: Page) => page.getByRole('switch', { name: 'Weekly digest', exact: true });

test('the weekly digest is turned off and on by keyboard, and the setting tells the user if no mail server is set up @long', async ({
  page,
  ada,
}) => {
  await signUp(page, ada);
  await page.goto('/settings');
  const section = page.getByRole('region', { name: 'Notifications' });
  await expect(findSwitch(page)).toBeChecked();
  await expect(section).toContainText('This server sends no email. Ask its operator to set SMTP_URL.');
  await expectAccessibleInBoth(page, 'settings with the weekly digest');
  await findSwitch(page).focus();
  await page.keyboard.press('Space');
  await expect(section.getByRole('status')).toHaveText('The weekly digest is turned off.');
  await page.reload();
  await expect(findSwitch(page)).not.toBeChecked();
  await findSwitch(page).focus();
  await page.keyboard.press('Space');
  await expect(section.getByRole('status')).toHaveText('The weekly digest is turned on.');

  await page.route('**/api/auth/digest', (route) => route.abort());
  await page.keyboard.press('Space');
  await expect(section.getByRole('alert')).toContainText('The weekly digest could not be changed.');
  await expect(findSwitch(page)).toBeChecked();
  await page.setViewportSize({ width: 360, height: 740 });
  expect(await findLayoutFaults(page)).toEqual([]);
});

test('the link in a digest turns the digest off only after the user presses a button, without a login @long', async ({
  page,
  ada,
  browser,
  product,
}) => {
  await signUp(page, ada);
  const token = await page.evaluate(() => localStorage.getItem('auth_token'));
  const me = await page.request.get('/api/auth/session', { headers: { authorization: `Bearer ${token}` } });
  const { user }: { user: { id: UserId } } = await me.json();
  const secretKey = Buffer.from(await readFile(join(product.dataFolder, 'secret.key'), 'utf8'), 'base64');
  const link = createUnsubscribeToken(createSealer(secretKey, 'digest'), user.id);
  const stranger = await (await browser.newContext({ baseURL: product.url })).newPage();
  await stranger.goto(`/unsubscribe/${link}`);
  await expectAccessibleInBoth(stranger, 'the page of the unsubscribe link');
  await page.goto('/settings');
  await expect(findSwitch(page)).toBeChecked();
  await stranger.getByRole('button', { name: 'Unsubscribe' }).press('Enter');
  await expect(stranger.getByRole('heading', { name: 'Weekly digest turned off' })).toBeVisible();
  await page.reload();
  await expect(findSwitch(page)).not.toBeChecked();

  await stranger.goto('/unsubscribe/no-such-token');
  await stranger.getByRole('button', { name: 'Unsubscribe' }).click();
  await expect(stranger.getByRole('alert')).toContainText(
    'This link is invalid. Turn the weekly digest off in Settings.',
  );
  await stranger.context().close();
});
