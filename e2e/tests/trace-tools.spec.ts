import { readFile } from 'node:fs/promises';
import { expect } from '@playwright/test';
import { expectNoViolation } from '../harness/accessible.ts';
import { clipboardOf } from '../harness/people.ts';
import { signUpWithTraces } from '../harness/signed-up.ts';
import { failedOrder, plainRequest } from '../harness/traces.ts';
import { test } from '../harness/worker-server.ts';

/** A request that asked a database and another server. */
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
        inputs: { statement: "select id, price from carts where id = ? and note = 'from <b>'" },
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

test('what the filters leave is exported as lines of JSON', async ({ page, ada }) => {
  const at = new Date();
  await signUpWithTraces(page, ada, [failedOrder(at), plainRequest('/well', at)]);
  await page.goto('/dashboard?status=error');
  await expect(page.locator('[data-row]')).toHaveCount(1);
  const saving = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export what is listed' }).click();
  const file = await saving;
  expect(file.suggestedFilename()).toMatch(/^traces-\d{4}-\d\d-\d\d-\d{4}\.ndjson$/);
  const lines = (await readFile(await file.path(), 'utf8')).trim().split('\n');
  expect(lines).toHaveLength(1);
  const trace = JSON.parse(lines[0] ?? '');
  expect(trace.request.path).toBe('/orders/17');
  expect(trace.flow).toHaveLength(15);
});

test('an export that fails says so', async ({ page, ada }) => {
  await signUpWithTraces(page, ada, [plainRequest('/well', new Date())]);
  await page.goto('/dashboard');
  await page.route('**/api/traces/export*', (route) => route.abort());
  await page.getByRole('button', { name: 'Export what is listed' }).click();
  await expect(page.getByText(/Nothing was exported/)).toBeVisible();
  await expect(page.getByRole('button', { name: 'Export what is listed' })).toBeVisible();
});

test('a query is laid out, a call is given as cURL, and its place opens in the editor', async ({
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
  await expectNoViolation(page, 'a query');

  await page.getByRole('treeitem', { name: /pay\.example/ }).click();
  await page.getByText('As cURL').click();
  await page.getByRole('button', { name: 'Copy cURL command' }).click();
  const command = await clipboardOf(page);
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
