import { expect } from '@playwright/test';
import { createProject, readClipboard } from '../harness/people/people.ts';
import { addProject, signUp, signUpWithTraces } from '../harness/people/signed-up.ts';
import { test } from '../harness/server/worker-server.ts';
import { plainRequest } from '../harness/traces/traces.ts';

test('a project can be created, renamed and deleted', async ({ page, ada }) => {
  await signUp(page, ada);
  await page.goto('/app');
  await expect(page.getByText('No projects yet')).toBeVisible();
  await page.getByRole('link', { name: 'Create a project' }).click();
  await expect(page).toHaveURL(/\/projects/);
  await expect(page.getByRole('button', { name: 'Create Project' })).toBeDisabled();
  await createProject(page, 'Späti <b>& Co</b>');

  const card = page.getByRole('article', { name: 'Späti <b>& Co</b>' });
  await expect(card).toContainText('tl_••••••••');
  await card.getByRole('button', { name: /More actions/ }).click();
  await page.getByRole('menuitem', { name: 'Rename' }).click();
  const rename = page.getByRole('dialog', { name: 'Rename project' });
  await rename.getByLabel('Name').fill('kiosk');
  await rename.getByLabel('Description').fill('Open late');
  await rename.getByRole('button', { name: 'Save' }).click();
  const renamed = page.getByRole('article', { name: 'kiosk' });
  await expect(renamed).toContainText('Open late');
  await page.reload();
  await expect(renamed).toContainText('Open late');

  await renamed.getByRole('button', { name: /More actions/ }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  const remove = page.getByRole('dialog', { name: 'Delete project?' });
  await expect(remove.getByRole('button', { name: 'Delete project' })).toBeDisabled();
  await remove.getByRole('textbox').fill('kiosk');
  await remove.getByRole('button', { name: 'Delete project' }).click();
  await expect(renamed).toBeHidden();
  await expect(page.getByText('No projects yet')).toBeVisible();
});

test('a rejected name keeps the dialog open, and an accepted name is still there after a reload @long', async ({
  page,
  ada,
}) => {
  await signUp(page, ada);
  await addProject(page, 'shop');
  await page.goto('/projects');
  await page.route(
    '**/api/projects/*',
    (route) => {
      const message = 'The name is taken.';
      return route.fulfill({ status: 409, json: { error: { code: 'conflict', message }, message } });
    },
    { times: 1 },
  );
  await page.getByRole('button', { name: 'More actions for shop' }).click();
  await page.getByRole('menuitem', { name: 'Rename' }).click();
  const dialog = page.getByRole('dialog', { name: 'Rename project' });
  await dialog.getByLabel('Name').fill(' store ');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog.getByRole('alert')).toHaveText('The project could not be renamed. The name is taken.');
  await expect(dialog.getByLabel('Name')).toHaveValue(' store ');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog).toBeHidden();
  await expect(page.getByRole('article', { name: 'store' })).toBeVisible();
  await page.reload();
  await expect(page.getByRole('article', { name: 'store' })).toBeVisible();
});

test("a project beyond the plan's limit is refused with a message that names the limit @long", async ({
  page,
  ada,
}) => {
  await signUp(page, ada);
  await createProject(page, 'first');
  await page.getByLabel('Project name').fill('second');
  await page.getByRole('button', { name: 'Create Project' }).click();
  await expect(page.getByRole('alert')).toContainText('Free Trial includes 1 project, and 1 is used.');
  await expect(page.getByRole('article')).toHaveCount(1);
});

test('the API key is copied completely, and a new key replaces the old one @long', async ({
  page,
  context,
  product,
  ada,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await signUp(page, ada);
  await addProject(page, 'keys');
  await page.goto('/projects');
  const send = async (apiKey: string) => {
    const trace = { request: { method: 'GET', path: '/' }, timing: { startTime: new Date(), duration: 1 } };
    const answer = await fetch(`${product.url}/api/ingest/traces`, {
      method: 'POST',
      headers: { 'x-api-key': apiKey, 'content-type': 'application/json' },
      body: JSON.stringify({ traces: [trace] }),
    });
    return answer.status;
  };

  await page.getByRole('button', { name: 'Manage API Key' }).click();
  const dialog = page.getByRole('dialog', { name: 'Manage API Key' });
  await dialog.getByRole('button', { name: 'Copy API key' }).click();
  await expect(dialog.getByRole('button', { name: 'Copied' })).toBeVisible();
  const first = await readClipboard(page);
  expect(first).toMatch(/^tl_[0-9A-Za-z]{40}$/);
  await expect(dialog).not.toContainText(first);
  expect(await send(first)).toBe(200);
  // The button's label "Copied" disappears automatically.
  await expect(dialog.getByRole('button', { name: 'Copy API key' })).toBeVisible();

  await dialog.getByRole('button', { name: 'Regenerate' }).click();
  await dialog.getByRole('button', { name: 'Regenerate key' }).click();
  await expect(dialog.getByRole('button', { name: 'Regenerate key' })).toBeHidden();
  await dialog.getByRole('button', { name: 'Copy API key' }).click();
  await expect(dialog.getByRole('button', { name: 'Copied' })).toBeVisible();
  const second = await readClipboard(page);
  expect(second).not.toBe(first);
  expect(await send(second)).toBe(200);
  await expect.poll(() => send(first)).toBe(401);
});

for (const path of ['/dashboard', '/analytics', '/errors', '/raw-traces']) {
  test(`${path} with another user’s project in its URL shows no project, and links to the user’s own projects @long`, async ({
    page,
    browser,
    product,
    ada,
    grace,
  }) => {
    const elsewhere = await (await browser.newContext({ baseURL: product.url })).newPage();
    await signUpWithTraces(elsewhere, grace, [plainRequest('/secret', new Date())]);
    await elsewhere.goto('/dashboard');
    await expect(elsewhere).toHaveURL(/project=/);
    const { searchParams } = new URL(elsewhere.url());
    await elsewhere.context().close();

    const own = {
      ...plainRequest('/own', new Date()),
      error: { hasError: true, errorMessage: 'no price in /own' },
    };
    await signUpWithTraces(page, ada, [own]);
    const address = `${path}?project=${searchParams.get('project')}`;
    await page.goto(address);
    await expect(page.getByText('Project not found')).toBeVisible();
    await expect(page.getByText('That project doesn’t exist or you don’t have access.')).toBeVisible();
    await expect(page.getByText(/\/own/)).toHaveCount(0);
    await expect(page).toHaveURL(address);
    await expect(page.getByRole('link', { name: 'All projects' })).toBeVisible();
    await page.getByRole('combobox', { name: 'Project', exact: true }).selectOption({ label: 'orders' });
    await expect(page.getByText(/\/own/).first()).toBeVisible();
  });
}
