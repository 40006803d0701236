import { readFile } from 'node:fs/promises';
import { expect, type Page } from '@playwright/test';
import { expectAccessible } from '../harness/browser/accessible.ts';
import { type Account, readClipboard } from '../harness/people/people.ts';
import { signUpWithTraces } from '../harness/people/signed-up.ts';
import { test } from '../harness/server/worker-server.ts';
import { failedOrder, plainRequest } from '../harness/traces/traces.ts';

async function signedInWithTraces(page: Page, account: Account): Promise<void> {
  const earlier = new Date(Date.now() - 60_000);
  await signUpWithTraces(page, account, [
    failedOrder(new Date()),
    plainRequest('/second', earlier),
    { ...plainRequest('/third', earlier), request: { method: 'PATCH', path: '/third' } },
  ]);
}

test('the list shows the traces of all projects, and can be filtered by project, method, status and search', async ({
  page,
  ada,
}) => {
  await signedInWithTraces(page, ada);
  await page.goto('/app');
  await page.getByRole('link', { name: 'Raw Traces' }).click();
  await expect(page).toHaveURL(/\/raw-traces/);
  const table = page.getByRole('table', { name: 'Raw traces' });
  const rows = table.locator('tbody').getByRole('row');
  await expect(rows).toHaveCount(3);
  await expect(table.getByRole('columnheader')).toHaveText([
    'Method',
    'Path',
    'Status',
    'Duration',
    'Timestamp',
    'Trace ID',
    'Actions',
  ]);
  await expect(page.getByText('Showing 3 of 3 traces')).toBeVisible();
  await expect(page.locator('dt + dd')).toHaveText(['3', '66.7 %', '1', /ms$/]);
  await expect(rows.first().locator('td').nth(6)).toHaveText(/^[0-9a-f]{8}/);

  await page.getByRole('combobox', { name: 'Method' }).selectOption('PATCH');
  await expect(page).toHaveURL(/method=PATCH/);
  await expect(rows).toHaveCount(1);
  await expect(rows.first()).toContainText('/third');
  await expect(page.getByRole('definition').first()).toHaveText('1');

  await page.goto('/raw-traces?status=error&q=orders');
  await expect(rows).toHaveCount(1);
  await expect(rows.first()).toContainText('/orders/17');
  await expect(page.getByRole('combobox', { name: 'Project' })).toHaveValue('all');
  await page.getByRole('combobox', { name: 'Project' }).selectOption('orders');
  await expect(page).toHaveURL(/project=/);
  await expect(rows).toHaveCount(1);

  await page.goto('/raw-traces?q=nowhere');
  await expect(page.getByText('No traces found')).toBeVisible();
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await expect(rows).toHaveCount(3);
});

test('the list shows an error if it cannot be loaded, and loads on retry @long', async ({ page, ada }) => {
  await signedInWithTraces(page, ada);
  await page.route('**/api/traces?**', (route) =>
    route.fulfill({ status: 503, json: { error: { code: 'unavailable', message: 'Come back later.' } } }),
  );
  await page.goto('/raw-traces');
  const failure = page.getByRole('alert').filter({ hasText: 'Traces could not be loaded.' });
  await expect(failure).toContainText('Come back later.');
  await page.unroute('**/api/traces?**');
  await failure.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByRole('row', { name: /\/orders\/17/ })).toBeVisible();
});

test('if the project list is empty or fails to load, the project filter offers the projects of the traces @long', async ({
  page,
  ada,
}) => {
  await signedInWithTraces(page, ada);
  const project = page.getByRole('combobox', { name: 'Project' });
  const derived = project.getByRole('option', { name: /^Project [0-9a-f]{8}$/ });
  const row = page.getByRole('row', { name: /\/orders\/17/ });
  const failure = page.getByRole('alert').filter({ hasText: 'Projects could not be loaded.' });

  await page.route('**/api/projects', (route) => route.fulfill({ json: { projects: [] } }));
  for (const path of ['/dashboard', '/raw-traces']) {
    await page.goto(path);
    await expect(row).toBeVisible();
    await expect(derived).toHaveCount(1);
    await expect(failure).toBeHidden();
  }
  await page.unroute('**/api/projects');
  await page.route('**/api/projects', (route) =>
    route.fulfill({ status: 503, json: { error: { code: 'unavailable', message: 'Come back later.' } } }),
  );
  for (const path of ['/raw-traces', '/dashboard']) {
    await page.goto(path);
    await expect(failure).toContainText('Come back later.');
    await expect(row).toBeVisible();
    await expect(derived).toHaveCount(1);
  }
  await expect(page.getByRole('alert')).toHaveCount(1);
  const again = failure.getByRole('button', { name: 'Try again' });
  // During an automatic retry, the button is disabled.
  await expect(again).toBeEnabled();
  await page.unroute('**/api/projects');
  await again.click();
  await expect(project.getByRole('option', { name: 'orders' })).toHaveCount(1);
  await expect(failure).toBeHidden();
  await expect(row).toBeVisible();
});

for (const colorScheme of ['light', 'dark'] as const) {
  test(`the JSON of a trace can be folded, searched, copied and saved, ${colorScheme} @long`, async ({
    page,
    context,
    ada,
  }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await signedInWithTraces(page, ada);
    await page.goto('/raw-traces');
    await expectAccessible(page, 'raw traces');
    const row = page.getByRole('row', { name: /\/orders\/17/ });
    await row.getByRole('button', { name: 'View Raw' }).click();
    const dialog = page.getByRole('dialog', { name: 'Raw trace' });
    const tree = dialog.getByRole('tree', { name: 'Trace as JSON' });
    await expect(tree).toBeFocused();
    await expect(tree).toContainText('"method": "POST"');
    await expect(tree).toContainText('<b>not bold</b>');
    await expect(tree).not.toContainText('"country": "UK"');
    await expectAccessible(page, 'raw trace');

    await dialog.getByRole('searchbox', { name: 'Search this JSON' }).fill('"COUNTRY": "uk"');
    await expect(dialog.getByText('1 of 2 lines')).toBeVisible();
    const selected = tree.getByRole('treeitem', { selected: true });
    await expect(selected).toHaveText('"country": "UK"');
    await expectAccessible(page, 'raw trace, searched');

    await tree.focus();
    await page.keyboard.press('c');
    await expect.poll(() => readClipboard(page)).toBe('UK');
    await page.keyboard.press('ArrowLeft');
    await expect(selected).toHaveAttribute('aria-expanded', 'true');
    await page.keyboard.press('ArrowLeft');
    await expect(selected).toHaveAttribute('aria-expanded', 'false');
    await expect(selected).toContainText('"inputs": { "country": "UK" }');
    await page.keyboard.press('Home');
    await expect(selected).toHaveAttribute('aria-level', '1');

    await dialog.getByRole('button', { name: 'Copy JSON' }).click();
    await expect(dialog.getByRole('button', { name: 'Copied' })).toBeVisible();
    const copied = await readClipboard(page);
    expect(JSON.parse(copied)).toMatchObject({ request: { path: '/orders/17' } });
    const waiting = page.waitForEvent('download');
    await dialog.getByRole('button', { name: 'Save file' }).click();
    const download = await waiting;
    expect(download.suggestedFilename()).toMatch(/^trace-[0-9a-f-]{36}\.json$/);
    expect(await readFile(await download.path(), 'utf8')).toBe(copied);

    await dialog.getByRole('button', { name: 'Next trace (])' }).click();
    await expect(tree).toContainText(/"path": "\/(second|third)"/);
    await page.keyboard.press('Escape');
    await expect(dialog).toBeHidden();
    await expect(row.getByRole('button', { name: 'View Raw' })).toBeFocused();
  });
}

/** Builds a JSON response with one trace, larger than 20 MB. */
function largeTrace(): string {
  const step = (index: number) => ({
    stepId: `s${index}`,
    stepName: `step ${index}`,
    inputs: { text: 'x'.repeat(900) },
  });
  const flow = Array.from({ length: 21_000 }, (_, index) => step(index));
  return JSON.stringify({ trace: { _id: 'large', request: { path: '/large' }, flow } });
}

test('a trace of 20 MB opens and can be searched, and the report lists the long tasks of the page @long', async ({
  page,
  ada,
}) => {
  await signedInWithTraces(page, ada);
  const body = largeTrace();
  expect(body.length).toBeGreaterThan(20_000_000);
  await page.route('**/api/traces/*/raw', (route) =>
    route.fulfill({ body, contentType: 'application/json' }),
  );
  await page.addInitScript(() => {
    const seen: number[] = [];
    Object.assign(globalThis, { longTasks: seen });
    new PerformanceObserver((list) => seen.push(...list.getEntries().map((entry) => entry.duration))).observe(
      {
        type: 'longtask',
      },
    );
  });
  await page.goto('/raw-traces');
  await page.getByRole('button', { name: 'View Raw' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'Raw trace' });
  const tree = dialog.getByRole('tree', { name: 'Trace as JSON' });
  await expect(tree).toContainText('"stepId": "s0"');
  // Waits until the whole response has arrived. The page shows the beginning of the response earlier.
  await expect(tree).toHaveAttribute('aria-busy', 'false');
  await dialog.getByRole('button', { name: 'Expand all' }).click();
  await expect(tree).toContainText('"text": "xxx');
  await tree.press('End');
  await expect(tree.getByRole('treeitem', { selected: true })).toHaveText(/^\}/);
  await dialog.getByRole('searchbox').fill('step 20999');
  await expect(dialog.getByText('1 of 1 line')).toBeVisible();
  await expect(tree.getByRole('treeitem', { selected: true })).toContainText('"stepName": "step 20999"');
  const tasks = await page.evaluate(() => Reflect.get(globalThis, 'longTasks') as number[]);
  test.info().annotations.push({ type: 'long tasks, ms', description: tasks.map(Math.round).join(' ') });
});
