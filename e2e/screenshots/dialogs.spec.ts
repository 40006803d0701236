import { expect, type Page, test } from '@playwright/test';
import { DIALOGS } from '../harness/pages/dialogs.ts';
import { signUpForDialogs } from '../harness/people/dialog-people.ts';
import { ada, grace } from '../harness/people/people.ts';
import { type Product, startServer } from '../harness/server/product.ts';
import { shootWindows } from './shoot.ts';

const REFUSED = 'This name is in use by another project of the organization.';

/** Responds to each request that changes data with an error in the server's format. */
async function refuseChanges(page: Page): Promise<void> {
  await page.route('**/api/**', (route) => {
    if (route.request().method() === 'GET') return route.fallback();
    const error = { code: 'conflict', message: REFUSED, remedy: 'Choose another name.' };
    return route.fulfill({ status: 409, json: { error, message: REFUSED } });
  });
}

let product: Product;
test.beforeAll(async () => {
  product = await startServer();
});
test.afterAll(() => product.stop());

for (const owner of ['solo', 'owner'] as const) {
  test(`screenshots show every dialog of ${owner} in windows of every width`, async ({ browser }) => {
    const page = await browser.newPage({ baseURL: product.url });
    const people = await signUpForDialogs(page, owner, {
      ada: { ...ada, email: `${owner}@example.com` },
      grace,
      organizationName: 'Analytical Engines',
    });
    for (const [place, row] of DIALOGS.entries()) {
      if (row.owner !== owner) continue;
      await page.setViewportSize({ width: 1440, height: 900 });
      await row.open(page, people);
      await expect(page.getByRole(row.role ?? 'dialog').first()).toBeVisible();
      await row.confirm?.fill?.(page);
      await shootWindows(page, `dialog-${place}-${row.name.replaceAll(/\W+/g, '-')}`);
      if (row.confirm !== undefined) {
        await page.setViewportSize({ width: 1440, height: 900 });
        await refuseChanges(page);
        const dialog = page.getByRole('dialog').last();
        await dialog.getByRole('button', { name: row.confirm.button, exact: true }).last().click();
        await expect(page.getByText(REFUSED).first()).toBeVisible();
        await shootWindows(page, `refused-${place}-${row.name.replaceAll(/\W+/g, '-')}`);
      }
      await page.unrouteAll();
    }
    await page.close();
  });
}
