import { expect, type Locator, type Page } from '@playwright/test';
import { expectNoViolation } from '../harness/browser/accessible.ts';
import { readClipboard } from '../harness/people/people.ts';
import { signUpWithTraces } from '../harness/people/signed-up.ts';
import { test } from '../harness/server/worker-server.ts';
import { plainRequest } from '../harness/traces/traces.ts';

const JSON_TYPE = { 'content-type': 'application/json', host: 'shop.example' };

/** Builds the trace of a POST request with a query string, bodies and the given number of steps. */
function order(steps: number, note = 'leave at the door'): Readonly<Record<string, unknown>> {
  const startTime = new Date().toISOString();
  return {
    ...plainRequest('/orders', new Date()),
    request: {
      method: 'POST',
      path: '/orders',
      url: '/orders?source=mail',
      headers: JSON_TYPE,
      query: { source: 'mail' },
      body: { item: 'lamp', note },
    },
    response: { statusCode: 201, headers: JSON_TYPE, body: { orderId: 'o-17' } },
    flow: Array.from({ length: steps }, (_step, index) => ({
      stepId: `s${index}`,
      stepName: `check${index}`,
      startTime,
      duration: 1,
    })),
  };
}

/** Returns the id of the only trace of the user who is signed in on the page. */
async function onlyTrace(page: Page): Promise<string> {
  const token = await page.evaluate(() => localStorage.getItem('auth_token'));
  const answer = await page.request.get('/api/traces', { headers: { authorization: `Bearer ${token}` } });
  const { traces }: { traces: { _id: string }[] } = await answer.json();
  return traces[0]?._id ?? '';
}

const part = (page: Page, name: string): Locator => page.getByRole('region', { name, exact: true });

async function expectParts(page: Page): Promise<void> {
  await expect(part(page, 'Query')).toContainText('"mail"');
  await expect(part(page, 'Request body')).toContainText('"lamp"');
  await page.getByRole('tab', { name: 'Response' }).click();
  await expect(part(page, 'Response body')).toContainText('"o-17"');
}

async function copyCurl(page: Page): Promise<string> {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.getByRole('button', { name: 'Copy', exact: true }).click();
  await page.getByRole('menuitem', { name: 'cURL command' }).click();
  await expect(page.getByText('cURL command: copied.')).toBeVisible();
  return readClipboard(page);
}

for (const steps of [2, 60]) {
  test(`a link to a request of ${steps} steps shows its query and bodies @long`, async ({ page, ada }) => {
    await signUpWithTraces(page, ada, [order(steps)]);
    await page.goto(`/traces/${await onlyTrace(page)}?view=request`);
    await expectParts(page);
    expect(await copyCurl(page)).toContain(`--data-raw '{"item":"lamp","note":"leave at the door"}'`);
  });
}

test('a request of many steps opened from the list shows its query and bodies', async ({ page, ada }) => {
  await signUpWithTraces(page, ada, [order(60)]);
  await page.goto('/dashboard');
  await page.locator('[data-row]').first().click();
  await page.getByRole('tab', { name: 'Request', exact: true }).click();
  await expectParts(page);
});

test('a large body shows an error if it cannot be loaded, loads on retry, and is copied completely @long', async ({
  page,
  ada,
}) => {
  const note = `start ${'x'.repeat(80_000)} end`;
  await signUpWithTraces(page, ada, [order(2, note)]);
  const id = await onlyTrace(page);
  const parts = `/api/traces/${id}/parts/`;
  const calls = new Set<string>();
  await page.route(`**${parts}*`, (route) => {
    calls.add(new URL(route.request().url()).pathname);
    return route.fulfill({ status: 500, body: '{}' });
  });
  await page.goto(`/traces/${id}?view=request`);
  const body = part(page, 'Request body');
  await expect(body.getByRole('alert')).toContainText('Request body could not be loaded.');
  await expect(part(page, 'Query')).toContainText('"mail"');
  await expectNoViolation(page, 'a part that could not be loaded');
  await page.unroute(`**${parts}*`);
  await body.getByRole('button', { name: 'Try Again' }).click();
  await expect(body).toContainText('"lamp"');
  expect([...calls]).toEqual([`${parts}request.body`]);
  const command = await copyCurl(page);
  expect(command).toContain(' end"}');
  expect(command.length).toBeGreaterThan(80_000);
});

test('a body of several megabytes loads only on request, and its cURL command is saved as a file @long', async ({
  page,
  ada,
}) => {
  await signUpWithTraces(page, ada, [order(2, 'x'.repeat(2_000_000))]);
  await page.goto(`/traces/${await onlyTrace(page)}?view=request`);
  const body = part(page, 'Request body');
  await expect(body).toContainText('2.0 MB, not loaded yet.');
  const saving = page.waitForEvent('download');
  expect(await copyCurl(page)).toContain('--data-binary @request-body.txt');
  expect((await saving).suggestedFilename()).toBe('request-body.txt');
  await expect(body).toContainText('"lamp"');
});

test('for a request without query and body, the page says that there are none @long', async ({
  page,
  ada,
}) => {
  await signUpWithTraces(page, ada, [plainRequest('/orders', new Date(), JSON_TYPE)]);
  await page.goto(`/traces/${await onlyTrace(page)}?view=request`);
  await expect(part(page, 'Query')).toContainText('None: the URL has no query.');
  await expect(part(page, 'Request body')).toContainText('The request had no body.');
});

test('the cURL command of a POST without captured headers and body says what it lacks @long', async ({
  page,
  ada,
}) => {
  const plain = plainRequest('/orders', new Date());
  await signUpWithTraces(page, ada, [{ ...plain, request: { method: 'POST', path: '/orders' } }]);
  await page.goto(`/traces/${await onlyTrace(page)}?view=request`);
  await expect(part(page, 'Request body')).toContainText('Empty, or not captured:');
  expect(await copyCurl(page)).not.toContain('--data');
  await expect(
    page.getByText(
      'Not available here: headers, query, body. Add those that the request had to the command.',
    ),
  ).toBeVisible();
});

test('public viewers see the types of query and bodies, but no values @long', async ({
  page,
  browser,
  ada,
}) => {
  await signUpWithTraces(page, ada, [order(60, 'x'.repeat(80_000))]);
  const id = await onlyTrace(page);
  const token = await page.evaluate(() => localStorage.getItem('auth_token'));
  const headers = { authorization: `Bearer ${token}` };
  const answer = await page.request.get('/api/projects', { headers });
  const { projects }: { projects: { id: string }[] } = await answer.json();
  const project = `/api/projects/${projects[0]?.id}`;
  expect((await page.request.patch(project, { headers, data: { public: true } })).ok()).toBe(true);
  const context = await browser.newContext({ baseURL: new URL(page.url()).origin });
  const viewer = await context.newPage();
  await viewer.goto(`/traces/${id}?view=request`);
  await expect(part(viewer, 'Request body')).toContainText('‹redacted object›');
  await expect(part(viewer, 'Query')).toContainText('‹redacted object›');
  await expect(viewer.getByText('not loaded yet')).toHaveCount(0);
  await context.close();
});

test('a truncated value is marked only at its position; missing steps are counted above the trace @long', async ({
  page,
  ada,
}) => {
  const at = new Date();
  const step = {
    stepId: 'load',
    stepName: 'load',
    stepType: 'function',
    startTime: at.toISOString(),
    duration: 1,
    inputs: { order: { id: 17, socket: { $type: 'cut', of: 'Socket', reason: 'depth' } } },
  };
  const trace = (path: string, dropped: Readonly<Record<string, number>>) => ({
    ...plainRequest(path, at),
    flow: [step],
    dropped: { steps: 0, values: 1, bytes: 0, ...dropped },
  });
  await signUpWithTraces(page, ada, [trace('/small', {}), trace('/long', { steps: 1200 })]);
  await page.goto('/dashboard');
  const open = (path: string) => page.locator('[data-row]').filter({ hasText: path }).click();
  await open('/small');
  const details = page.getByRole('region', { name: 'Step 1: load' });
  await expect(details.getByText('1 value truncated (limit)')).toBeVisible();
  await expect(page.getByText(/recording's limits/)).toHaveCount(0);
  await page.getByRole('button', { name: 'Close' }).click();
  await open('/long');
  await expect(page.getByText('Not recorded because of limits: 1,200 steps.')).toBeVisible();
});
