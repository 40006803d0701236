import { expect, test } from '@playwright/test';
import { signUpForDialogs } from '../harness/dialog-people.ts';
import { DIALOGS } from '../harness/dialogs.ts';
import { ada, grace } from '../harness/people.ts';
import { type Product, startServer } from '../harness/product.ts';
import { shootWindows } from './shoot.ts';

let product: Product;
test.beforeAll(async () => {
  product = await startServer();
});
test.afterAll(() => product.stop());

for (const owner of ['solo', 'owner'] as const) {
  test(`every dialog of ${owner} in windows of every width`, async ({ browser }) => {
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
      await page.unrouteAll();
    }
    await page.close();
  });
}
