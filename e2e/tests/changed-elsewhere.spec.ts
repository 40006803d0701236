import { expect, type Page } from '@playwright/test';
import { addProject, signUp, signUpWithTraces } from '../harness/people/signed-up.ts';
import { test } from '../harness/server/worker-server.ts';
import { checkoutTrace } from '../harness/traces/checkout.ts';
import { sendTraces } from '../harness/traces/traces.ts';

const failed = (message: string, secondsAgo: number) => ({
  ...checkoutTrace({ at: new Date(Date.now() - secondsAgo * 1000), country: 'UK', user: 'u-9' }),
  error: { hasError: true, errorMessage: message },
});

const errorRow = (page: Page, message: string) =>
  page.getByRole('table', { name: 'Errors' }).getByRole('row').filter({ hasText: message });

/** Moves the page's clock forward by a minute, so that the page fetches its data again. */
async function waitAMinute(page: Page): Promise<void> {
  await page.clock.runFor(61_000);
}

test('if a dialog was closed before its request failed, the failure is shown as a notification @long', async ({
  page,
  ada,
}) => {
  await signUp(page, ada);
  await addProject(page, 'orders');
  await page.goto('/projects');
  const { promise: closed, resolve: refuse } = Promise.withResolvers<void>();
  await page.route('**/api/projects/*', async (route) => {
    await closed;
    await route.abort('connectionrefused');
  });
  await page.getByRole('button', { name: /^More actions for/ }).click();
  await page.getByRole('menuitem', { name: 'Rename' }).click();
  const dialog = page.getByRole('dialog', { name: 'Rename project' });
  await dialog.getByLabel('Name').fill('shipping');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  refuse();
  await expect(
    page.getByText('The project could not be renamed. Network error. Please try again.'),
  ).toBeVisible();
});

test('a note that was changed in another tab is shown, and a draft warns that saving replaces that note @long', async ({
  page,
  ada,
}) => {
  await signUpWithTraces(page, ada, [failed('card declined', 1)]);
  await page.clock.install();
  await page.goto('/errors');
  await errorRow(page, 'card declined').getByRole('link').first().click();
  const note = page.getByRole('textbox', { name: 'Note' });
  await expect(note).toHaveValue('');
  const other = await page.context().newPage();
  const write = async (text: string) => {
    await other.goto(page.url());
    await other.getByRole('textbox', { name: 'Note' }).fill(text);
    await other.getByRole('button', { name: 'Save note' }).click();
    await expect(other.getByRole('button', { name: 'Save note' })).toBeDisabled();
  };
  await write('the bank refuses');
  await page.getByRole('combobox', { name: 'Assignee' }).selectOption('Ada Lovelace');
  await expect(note).toHaveValue('the bank refuses');
  await expect(page.getByRole('button', { name: 'Save note' })).toBeDisabled();

  await note.fill('look at the card');
  await write('fixed in 1.5');
  await page.getByRole('combobox', { name: 'Assignee' }).selectOption('Not assigned');
  await expect(page.getByText('Saving replaces “fixed in 1.5”.')).toBeVisible();
  await expect(note).toHaveValue('look at the card');
  await page.getByRole('button', { name: 'Discard changes' }).click();
  await expect(note).toHaveValue('fixed in 1.5');
});

test('the selected target of a merge stays selected when a new error arrives @long', async ({
  page,
  ada,
}) => {
  await signUpWithTraces(page, ada, [
    failed('card declined', 1),
    failed('card refused', 2),
    failed('timed out', 3),
  ]);
  await page.clock.install();
  await page.goto('/errors');
  await errorRow(page, 'timed out').getByRole('link').first().click();
  await page.getByRole('button', { name: 'Merge into…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Merge into another error' });
  await dialog.getByRole('radio', { name: 'card refused' }).check();
  await sendTraces(page, [failed('disk full', 0), failed('disk full', 0), failed('disk full', 0)]);
  await waitAMinute(page);
  await expect(dialog.getByRole('radio', { name: 'disk full' })).toBeVisible();
  await expect(dialog.getByRole('radio', { name: 'card refused' })).toBeChecked();
});

test('acting on a merged error or a saved view that another tab has removed shows a message that names the failed action, and the removed item disappears @long', async ({
  page,
  ada,
}) => {
  await signUpWithTraces(page, ada, [failed('card declined', 1), failed('card refused', 2)]);
  await page.goto('/errors');
  for (const message of ['card declined', 'card refused'])
    await page.getByRole('checkbox', { name: `Select ${message}` }).check();
  await page.getByRole('button', { name: 'Merge…' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Merge', exact: true }).click();
  await page.getByRole('table', { name: 'Errors' }).getByRole('link').first().click();
  const split = page.getByRole('button', { name: /^Split off/ });
  const other = await page.context().newPage();
  await other.goto(page.url());
  await other.getByRole('button', { name: /^Split off/ }).click();
  await expect(other.getByRole('button', { name: /^Split off/ })).toHaveCount(0);
  await split.click();
  await expect(page.getByText(/^The error could not be split off\. /)).toBeVisible();
  await expect(split).toHaveCount(0);

  await page.goto('/dashboard');
  await page.getByRole('button', { name: 'Views', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Save this view…' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('mine');
  await dialog.getByRole('button', { name: 'Save view' }).click();
  await expect(dialog).toBeHidden();
  await page.getByRole('button', { name: 'Views', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Manage views…' }).click();
  await other.goto('/dashboard');
  await other.getByRole('button', { name: 'Views', exact: true }).click();
  await other.getByRole('menuitem', { name: 'Manage views…' }).click();
  await other.getByRole('button', { name: 'Delete: mine' }).click();
  await other.getByRole('button', { name: 'Delete view' }).click();
  await expect(other.getByText('No saved views yet.')).toBeVisible();
  await page.getByRole('button', { name: 'Unpin: mine' }).click();
  await expect(page.getByText(/^mine could not be unpinned\. /)).toBeVisible();
  await expect(page.getByRole('button', { name: 'Unpin: mine' })).toHaveCount(0);
});
