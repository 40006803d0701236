import { expect } from '@playwright/test';
import { delayCalls, readMovedControls, watchControls } from '../harness/browser/moved-controls.ts';
import { DATA_PAGES } from '../harness/pages/data-pages.ts';
import { signUpOrganization } from '../harness/people/organizations.ts';
import { createProject } from '../harness/people/people.ts';
import { addProject, signUp } from '../harness/people/signed-up.ts';
import { test } from '../harness/server/worker-server.ts';
import { failedOrder, plainRequest, sendTraces } from '../harness/traces/traces.ts';

const WIDTHS = [1440, 900, 390];
const MINUTE_MS = 60_000;

for (const width of WIDTHS) {
  test(`no control moves away from under the pointer while a page loads, ${width} px @long`, async ({
    page,
    ada,
    organizationName,
  }) => {
    test.setTimeout(600_000);
    const { headers } = await signUpOrganization(page, ada, organizationName);
    await addProject(page, 'orders');
    const now = Date.now();
    const earlier = [1, 2, 3, 4].map((count) => plainRequest('/orders', new Date(now - count * MINUTE_MS)));
    await sendTraces(page, [failedOrder(new Date(now)), ...earlier]);
    const answer = await page.request.get('/api/projects', { headers });
    const { projects }: { projects: { id: string }[] } = await answer.json();
    await page.request.patch(`/api/projects/${projects[0]?.id}`, { headers, data: { public: true } });
    const addresses: string[] = [];
    for (const { address } of DATA_PAGES) {
      addresses.push(typeof address === 'string' ? address : await address(page));
    }
    await page.setViewportSize({ width, height: 900 });
    const settled = await delayCalls(page);
    await watchControls(page);
    const moved: string[] = [];
    for (const address of addresses) {
      await page.goto(address);
      await settled();
      moved.push(...(await readMovedControls(page)).map((control) => `${address}: ${control}`));
    }
    expect(moved).toEqual([]);
  });
}

test('the card of a new project does not move while the setup steps above it load @long', async ({
  page,
  ada,
}) => {
  await signUp(page, ada);
  await page.setViewportSize({ width: 390, height: 900 });
  const settled = await delayCalls(page);
  await watchControls(page);
  await createProject(page, 'orders');
  await expect(page.getByText('Waiting for your first trace…')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Copy start command' })).toBeVisible();
  await settled();
  expect(await readMovedControls(page)).toEqual([]);
});
