import { expect, type Page } from '@playwright/test';
import { expectNoViolation } from '../harness/browser/accessible.ts';
import { fillLogin } from '../harness/people/people.ts';
import { signUp } from '../harness/people/signed-up.ts';
import { mailLink } from '../harness/server/outbox.ts';
import { test } from '../harness/server/worker-server.ts';

const LINK = '/verify-email';
const notice = (page: Page) => page.getByRole('region', { name: 'Address to confirm' });

async function changeAddress(page: Page, email: string): Promise<void> {
  await page.getByLabel('Email').fill(email);
  await page.getByRole('button', { name: 'Save changes' }).click();
  await expect(page.getByText('Profile updated successfully!')).toBeVisible();
}

test('an email address changes only when its user opens the link sent to the new address and confirms the change @long', async ({
  page,
  browser,
  product,
  ada,
}) => {
  await signUp(page, ada);
  await page.goto('/settings');
  const next = `new-${ada.email}`;
  await changeAddress(page, next);
  await expect(page.getByLabel('Email')).toHaveValue(ada.email);
  await expect(notice(page)).toContainText(`We sent a link to ${next}.`);
  await expect(notice(page)).toContainText(`Until then your address stays ${ada.email}.`);
  await expectNoViolation(page, 'the settings with an address that waits to be confirmed');
  await page.reload();
  await notice(page).getByRole('button', { name: 'Send a new link' }).click();
  await expect(page.getByText(`The link is on its way to ${next}.`)).toBeVisible();

  // Opens the link in another browser, where nobody is signed in.
  const elsewhere = await (await browser.newContext({ baseURL: product.url })).newPage();
  await elsewhere.goto(await mailLink(page, next, LINK));
  await expectNoViolation(elsewhere, 'the page of the link');
  await elsewhere.getByRole('button', { name: 'Confirm email address' }).click();
  await expect(elsewhere.getByRole('status')).toHaveText(
    `${next} is now the confirmed address of your account.Continue`,
  );
  await elsewhere.getByRole('link', { name: 'Continue' }).click();
  await fillLogin(elsewhere, { ...ada, email: next });
  await expect(elsewhere).toHaveURL(/\/app/);
  await elsewhere.context().close();

  await page.reload();
  await expect(page.getByLabel('Email')).toHaveValue(next);
  await expect(notice(page)).toBeHidden();
});

test('the link of a cancelled address change is rejected, and the current address can still be confirmed @long', async ({
  page,
  ada,
}) => {
  await signUp(page, ada);
  await page.goto('/settings');
  await expect(notice(page)).toContainText(`${ada.email} is not confirmed yet.`);
  const next = `new-${ada.email}`;
  await changeAddress(page, next);
  const link = await mailLink(page, next, LINK);
  await notice(page).getByRole('button', { name: 'Cancel change' }).click();
  await expect(page.getByText(`Your address stays ${ada.email}.`)).toBeVisible();
  await expect(notice(page)).toContainText(`${ada.email} is not confirmed yet.`);

  await page.goto(link);
  await page.getByRole('button', { name: 'Confirm email address' }).click();
  await expect(page.getByRole('alert')).toHaveText(
    'This link is invalid or has expired. Request a new link in Settings.',
  );
  await page.goto(await mailLink(page, ada.email, LINK));
  await page.getByRole('button', { name: 'Confirm email address' }).click();
  await page.getByRole('link', { name: 'Continue' }).click();
  await page.goto('/settings');
  await expect(page.getByLabel('Email')).toHaveValue(ada.email);
  await expect(notice(page)).toBeHidden();
});
