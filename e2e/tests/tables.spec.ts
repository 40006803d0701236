import { expect, type Page } from '@playwright/test';
import { expectAccessibleInBoth } from '../harness/browser/accessible.ts';
import { findLayoutFaults } from '../harness/browser/layout.ts';
import { addMember, signUpOrganization } from '../harness/people/organizations.ts';
import { signUpWithTraces } from '../harness/people/signed-up.ts';
import { test } from '../harness/server/worker-server.ts';
import { failedOrder, plainRequest } from '../harness/traces/traces.ts';

const MINUTE_MS = 60_000;
const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * MINUTE_MS);

/** Two failed requests with the message `no rate`, and a newer failed request with the message `timed out`. */
const failures = () => [
  failedOrder(minutesAgo(3)),
  failedOrder(minutesAgo(4)),
  { ...failedOrder(minutesAgo(1)), error: { hasError: true, errorMessage: 'timed out' }, flow: [] },
];

const errors = (page: Page) => page.getByRole('table', { name: 'Errors' });
const messages = (page: Page) => errors(page).locator('[data-label="Error"]').getByRole('link');
const heading = (page: Page, name: string) => page.getByRole('columnheader', { name, exact: true });

test('errors are sorted by their headings with the keyboard and searched, and a reload keeps the order and the search', async ({
  page,
  ada,
}) => {
  await signUpWithTraces(page, ada, failures());
  await page.goto('/errors');
  await expect(messages(page)).toHaveText([/timed out/, /no rate/]);
  await expect(heading(page, 'Last seen')).toHaveAttribute('aria-sort', 'descending');
  const requests = heading(page, 'Requests').getByRole('button');
  await requests.focus();
  await page.keyboard.press('Enter');
  await expect(messages(page)).toHaveText([/no rate/, /timed out/]);
  await expect(heading(page, 'Requests')).toHaveAttribute('aria-sort', 'descending');
  await expect(heading(page, 'Last seen')).not.toHaveAttribute('aria-sort');
  await expect(requests).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(messages(page)).toHaveText([/timed out/, /no rate/]);
  await expect(page).toHaveURL(/tables=errors%3Arequests/);

  const search = page.getByRole('searchbox', { name: 'Search errors' });
  await search.fill('RATE no');
  await expect(messages(page)).toHaveText([/no rate/]);
  await page.reload();
  await expect(messages(page)).toHaveText([/no rate/]);
  await expect(search).toHaveValue('RATE no');
  await expect(heading(page, 'Requests')).toHaveAttribute('aria-sort', 'ascending');

  await search.fill('nothing like this');
  await expect(page.getByText('No matching errors')).toBeVisible();
  await page.getByRole('button', { name: 'Clear search' }).click();
  await expect(search).toBeFocused();
  await expect(messages(page)).toHaveCount(2);
});

test('on a phone, errors are cards with a label before each value, and a select sorts them', async ({
  page,
  ada,
}) => {
  await signUpWithTraces(page, ada, failures());
  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto('/errors');
  await expect(messages(page)).toHaveText([/timed out/, /no rate/]);
  await page.getByRole('combobox', { name: 'Sort Errors' }).selectOption('Requests, highest first');
  await expect(messages(page)).toHaveText([/no rate/, /timed out/]);
  const users = errors(page).locator('[data-label="Users"]').first();
  expect(await users.evaluate((cell) => getComputedStyle(cell, '::before').content)).toContain('Users');
  expect(await findLayoutFaults(page)).toEqual([]);
  await expectAccessibleInBoth(page, 'the cards of errors');
});

test('below a list of errors that shows only the first 200, a sentence says how to find the other errors @long', async ({
  page,
  ada,
}) => {
  const letters = (at: number) => String.fromCharCode(97 + Math.floor(at / 26), 97 + (at % 26));
  await signUpWithTraces(
    page,
    ada,
    Array.from({ length: 201 }, (_, at) => ({
      ...failedOrder(minutesAgo(3)),
      error: { hasError: true, errorMessage: `lost ${letters(at)}` },
      flow: [],
    })),
  );
  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto('/errors');
  const sentence = page.getByText('These are the first 200 errors in this order.');
  await expect(sentence).toBeVisible();
  expect(await findLayoutFaults(page)).toEqual([]);
  await page.getByRole('searchbox', { name: 'Search errors' }).fill('lost aa');
  await expect(messages(page)).toHaveCount(1);
  await expect(sentence).toBeHidden();
});

test('a list of Analytics is sorted and searched over all its rows, also from a link', async ({
  page,
  ada,
}) => {
  const parts = Array.from({ length: 8 }, (_, index) => ({
    ...plainRequest(`/part${index}`, minutesAgo(2)),
    timing: { startTime: minutesAgo(2).toISOString(), duration: 10 + index },
  }));
  await signUpWithTraces(page, ada, parts);
  await page.goto('/analytics?tab=performance');
  const table = page.getByRole('table', { name: 'Endpoints', exact: true });
  const names = table.getByRole('row').getByRole('link', { name: /^\/part/ });
  await expect(names).toHaveCount(5);
  await table.getByRole('button', { name: 'P95' }).click();
  await expect(names).toHaveText(['/part7', '/part6', '/part5', '/part4', '/part3']);
  await table.getByRole('button', { name: 'P95' }).click();
  await expect(names.first()).toHaveText('/part0');
  await page.getByRole('searchbox', { name: 'Search Endpoints' }).fill('part7');
  await expect(names).toHaveText(['/part7']);

  await page.goto('/analytics?tab=performance&tables=endpoints:-endpoint:part');
  await expect(names).toHaveText(['/part7', '/part6', '/part5', '/part4', '/part3']);
  await expect(table.getByRole('columnheader', { name: 'Endpoint' })).toHaveAttribute(
    'aria-sort',
    'descending',
  );
  await page.setViewportSize({ width: 360, height: 740 });
  await expect(page.getByRole('combobox', { name: 'Sort Endpoints' })).toHaveValue('endpoint descending');
  expect(await findLayoutFaults(page)).toEqual([]);
});

test('the audit log and the list of people are sorted and searched, also from a link, and are cards on a phone', async ({
  page,
  ada,
  grace,
  organizationName,
}) => {
  await addMember(page, await signUpOrganization(page, ada, organizationName), grace);
  await page.goto('/users?tab=audit');
  const table = page.getByRole('table', { name: 'Audit log' });
  const users = table.locator('tbody [data-label="User"]');
  await expect(heading(page, 'Time')).toHaveAttribute('aria-sort', 'descending');
  await heading(page, 'User').getByRole('button').press('Enter');
  await expect(heading(page, 'User')).toHaveAttribute('aria-sort', 'ascending');
  await expect(users.first()).toHaveText(ada.name);
  await expect(users.last()).toHaveText(grace.name);
  await page.getByRole('searchbox', { name: 'Search audit log' }).fill('INVITED');
  await expect(table.locator('tbody tr')).toHaveText([new RegExp(`invited ${grace.email}`)]);
  await page.reload();
  await expect(table.locator('tbody tr')).toHaveCount(1);
  await page.setViewportSize({ width: 360, height: 740 });
  await expect(page.getByRole('combobox', { name: 'Sort Audit log' })).toHaveValue('user ascending');
  expect(await findLayoutFaults(page)).toEqual([]);

  await page.goto('/users?tables=people:-user');
  const people = page.getByRole('table', { name: 'People' }).locator('tbody [data-label="User"]');
  await expect(people).toHaveText([grace.name, ada.name]);
  await page.getByRole('combobox', { name: 'Sort People' }).selectOption('User, A to Z');
  await expect(people).toHaveText([ada.name, grace.name]);
  expect(await findLayoutFaults(page)).toEqual([]);
  await expectAccessibleInBoth(page, 'the cards of people');
});

test("public viewers sort a public project's requests by duration, and a link keeps the order", async ({
  page,
  ada,
}) => {
  const took = (path: string, duration: number) => ({
    ...plainRequest(path, minutesAgo(1)),
    timing: { startTime: minutesAgo(1).toISOString(), duration },
  });
  await signUpWithTraces(page, ada, [took('/a', 20), took('/b', 900), took('/c', 400)]);
  const id = await publishProject(page);
  await page.goto(`/public/${id}`);
  const durations = page.getByRole('table', { name: 'Traces' }).locator('tbody [data-label="Duration"]');
  await heading(page, 'Duration').getByRole('button').press('Enter');
  await expect(durations).toHaveText(['900 ms', '400 ms', '20 ms']);
  await expect(heading(page, 'Duration')).toHaveAttribute('aria-sort', 'descending');
  await page.reload();
  await expect(durations).toHaveText(['900 ms', '400 ms', '20 ms']);
  await page.setViewportSize({ width: 360, height: 740 });
  await expect(page.getByRole('combobox', { name: 'Sort Traces' })).toHaveValue('duration descending');
  expect(await findLayoutFaults(page)).toEqual([]);
  await expectAccessibleInBoth(page, "the cards of a public project's requests");

  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto(`/public/${id}?tables=traces:duration`);
  await expect(heading(page, 'Timestamp')).toHaveAttribute('aria-sort', 'descending');
  await expect(heading(page, 'Duration')).not.toHaveAttribute('aria-sort');
});

/** Makes the only project of the signed-in user public. Returns its id. */
async function publishProject(page: Page): Promise<string> {
  const token = await page.evaluate(() => localStorage.getItem('auth_token'));
  const headers = { authorization: `Bearer ${token}` };
  const { projects }: { projects: { id: string }[] } = await (
    await page.request.get('/api/projects', { headers })
  ).json();
  const id = projects[0]?.id ?? '';
  const answer = await page.request.patch(`/api/projects/${id}`, { data: { public: true }, headers });
  expect(answer.status()).toBe(200);
  return id;
}
