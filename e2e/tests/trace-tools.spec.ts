import { readFile } from 'node:fs/promises';
import { expect, type Locator, type Page } from '@playwright/test';
import { expectNoViolation } from '../harness/browser/accessible.ts';
import { openDashboard, rows } from '../harness/pages/live-list.ts';
import { readClipboard } from '../harness/people/people.ts';
import { signUpWithTraces } from '../harness/people/signed-up.ts';
import { test } from '../harness/server/worker-server.ts';
import { failedOrder, plainRequest, sendTraces } from '../harness/traces/traces.ts';

/** Builds the trace of a request that called a database and another server. */
function askingRequest(at: Date): Readonly<Record<string, unknown>> {
  const startTime = at.toISOString();
  const step = { startTime, duration: 1, filePath: 'src/cart.ts', lineNumber: 7 };
  return {
    ...plainRequest('/asking', at),
    flow: [
      {
        ...step,
        stepId: 'query',
        stepName: 'SELECT carts',
        stepType: 'database',
        inputs: {
          statement: "select id, price from carts where id = ? and note = 'from <b>'",
          values: ["Ada's"],
        },
        metadata: { 'db.system.name': 'sqlite' },
      },
      {
        ...step,
        stepId: 'call',
        stepName: 'POST pay.example/charge',
        stepType: 'http',
        inputs: {
          method: 'POST',
          url: 'https://pay.example/charge',
          headers: { authorization: 'Bearer s3cr3t', 'content-type': 'application/json' },
          body: { amount: 12 },
        },
      },
    ],
  };
}

interface Line {
  readonly request: { readonly path: string };
  readonly flow: readonly unknown[];
}

/** Returns the traces in the file that a button exports. */
async function exportedBy(page: Page, button: Locator): Promise<readonly Line[]> {
  const saving = page.waitForEvent('download');
  await button.click();
  const file = await saving;
  expect(file.suggestedFilename()).toMatch(/^traces-\d{4}-\d\d-\d\d-\d{4}\.ndjson$/);
  const lines = (await readFile(await file.path(), 'utf8')).trim().split('\n');
  return lines.map((line) => JSON.parse(line));
}

test('the filtered traces are exported as lines of JSON @long', async ({ page, ada }) => {
  const at = new Date();
  await signUpWithTraces(page, ada, [failedOrder(at), plainRequest('/well', at)]);
  await page.goto('/dashboard?status=error');
  await expect(page.locator('[data-row]')).toHaveCount(1);
  const traces = await exportedBy(page, page.getByRole('button', { name: 'Export these traces' }));
  expect(traces).toHaveLength(1);
  expect(traces[0]?.request.path).toBe('/orders/17');
  expect(traces[0]?.flow).toHaveLength(15);
});

test('selected rows are exported without the others, whether selected by pointer or by keys @long', async ({
  page,
  ada,
}) => {
  await openDashboard(page, ada, 60);
  const box = (index: number) =>
    page.getByRole('checkbox', { name: `Select GET /page/${index}`, exact: true });
  const said = page.getByRole('status').filter({ hasText: 'selected' });
  const exportButton = page.getByRole('button', { name: 'Export', exact: true });
  const paths = async () => (await exportedBy(page, exportButton)).map(({ request }) => request.path);

  await box(1).click();
  await expect(said).toHaveText('1 selected');
  await box(4).click({ modifiers: ['Shift'] });
  await expect(said).toHaveText('4 selected');
  await box(2).click();
  await expect(said).toHaveText('3 selected');
  await expectNoViolation(page, 'rows chosen');
  // The list does not move while rows are selected.
  await sendTraces(page, [plainRequest('/late', new Date())]);
  await page.getByRole('searchbox', { name: /^Search/ }).hover();
  await expect(page.getByRole('button', { name: '1 new' })).toBeVisible();
  await expect(page.getByRole('dialog')).toBeHidden();
  expect(await paths()).toEqual(['/page/1', '/page/3', '/page/4']);

  // The first Escape closes only the dialog of keyboard shortcuts, and the rows stay selected.
  await page.keyboard.press('?');
  await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toContainText('Clear selection');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toBeHidden();
  await expect(said).toHaveText('3 selected');
  await page.keyboard.press('Escape');
  await expect(said).toBeHidden();
  await expect(rows(page).first()).toContainText('/late');
  await page.keyboard.press('j');
  await page.keyboard.press('j');
  await page.keyboard.press('x');
  for (let row = 0; row < 3; row += 1) await page.keyboard.press('j');
  await page.keyboard.press('Shift+X');
  await expect(said).toHaveText('4 selected');
  expect(await paths()).toEqual(['/page/0', '/page/1', '/page/2', '/page/3']);

  const head = page.getByRole('checkbox', { name: 'Select all listed traces' });
  await head.click();
  await expect(said).toHaveText('51 selected');
  await page.getByRole('button', { name: 'Select all 61' }).click();
  await expect(said).toHaveText('All 61 selected');
  expect(await paths()).toHaveLength(61);
  await page.getByRole('button', { name: 'Clear selection' }).click();
  await expect(said).toBeHidden();
  // A list with another filter has different rows, so no row is selected any more.
  await page.goto('/dashboard?q=page/5');
  await expect(rows(page)).toHaveCount(11);
  await expect(said).toBeHidden();
  await head.click();
  await expect(said).toHaveText('11 selected');
  await page.getByRole('combobox', { name: 'Status' }).selectOption('success');
  await expect(said).toBeHidden();
});

test('a failed export shows an error @long', async ({ page, ada }) => {
  await signUpWithTraces(page, ada, [plainRequest('/well', new Date())]);
  await page.goto('/dashboard');
  await page.route('**/api/traces/export*', (route) => route.abort());
  await page.getByRole('button', { name: 'Export these traces' }).click();
  await expect(page.getByText(/Nothing was exported/)).toBeVisible();
  await expect(page.getByRole('button', { name: 'Export these traces' })).toBeVisible();
});

test('a step shows its SQL formatted, its HTTP call as cURL, and a link that opens the editor; the SQL and the cURL can be copied @long', async ({
  page,
  context,
  ada,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await signUpWithTraces(page, ada, [askingRequest(new Date())]);
  await page.goto('/dashboard');
  await page
    .getByRole('row', { name: /GET \/asking/ })
    .getByRole('button', { name: 'View' })
    .click();
  const sql = page.getByRole('region', { name: 'SQL' });
  await expect(sql.locator('pre')).toHaveText(
    "select\n  id,\n  price\nfrom\n  carts\nwhere\n  id = ?\n  and note = 'from <b>'",
    { useInnerText: true },
  );
  await expect(sql.getByRole('list', { name: 'SQL parameters' })).toHaveText('?1 = "Ada\'s"');
  await expectNoViolation(page, 'a query');
  await sql.getByRole('button', { name: 'Copy as runnable SQL' }).click();
  expect(await readClipboard(page)).toBe(
    "select id, price from carts where id = 'Ada''s' and note = 'from <b>'",
  );

  await page.getByRole('treeitem', { name: /pay\.example/ }).click();
  await page.getByText('As cURL').click();
  await page.getByRole('button', { name: 'Copy cURL command' }).click();
  const command = await readClipboard(page);
  expect(command).toContain('curl -X POST https://pay.example/charge');
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the shell's own
  expect(command).toContain('"${REDACTED_AUTHORIZATION:?}"');
  expect(command).not.toContain('s3cr3t');

  await page.getByRole('button', { name: 'Open code in an editor…' }).click();
  const form = page.getByRole('group', { name: 'Editor' });
  await form.getByLabel('The project’s folder on this computer').fill('/home/ada/shop');
  await expectNoViolation(page, 'the editor’s settings');
  await page.keyboard.press('Escape');
  await expect(form).toBeHidden();
  const place = page.getByRole('link', { name: 'src/cart.ts:7' });
  await expect(place).toHaveAttribute('href', 'vscode://file/home/ada/shop/src/cart.ts:7');
  await page.reload();
  await expect(place).toHaveAttribute('href', 'vscode://file/home/ada/shop/src/cart.ts:7');
});
