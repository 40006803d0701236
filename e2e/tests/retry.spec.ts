import { expect, type Page } from '@playwright/test';
import { signUpWithTraces } from '../harness/people/signed-up.ts';
import { test } from '../harness/server/worker-server.ts';
import { failedOrder } from '../harness/traces/traces.ts';

/** Pages to test. Each has a pattern of the requests that fail until the user retries. */
const FAILING: readonly (readonly [string, RegExp])[] = [
  ['/projects', /\/api\/projects$/],
  ['/dashboard', /\/api\/traces\?/],
  ['/errors', /\/api\/projects\/[^/]+\/errors/],
  ['/analytics?tab=performance', /\/api\/analytics\//],
  ['/settings?tab=security', /\/api\/auth\/sessions/],
];

const REFUSAL = {
  status: 403,
  json: { error: { code: 'forbidden', message: 'Your role does not allow this.', requestId: 'id-1' } },
};

/** Describes the element with the keyboard focus. */
const describeFocus = (page: Page) =>
  page.evaluate(() => {
    const { activeElement } = document;
    return `${activeElement?.tagName} ${activeElement?.textContent?.slice(0, 40)}`;
  });

test("after Try Again, the focus is on the loaded heading or on the next failure's button @long", async ({
  page,
  ada,
}) => {
  await signUpWithTraces(page, ada, [failedOrder(new Date())]);
  for (const [address, calls] of FAILING) {
    const refuse = (url: URL) => calls.test(url.href);
    await page.route(refuse, (route) => route.fulfill(REFUSAL));
    await page.goto(address);
    const again = page.getByRole('button', { name: 'Try Again' }).first();
    await again.focus();
    await again.press('Enter');
    await expect(again, address).toBeFocused();
    await page.unroute(refuse);
    const notices = page.getByRole('button', { name: 'Try Again' });
    for (let left = await notices.count(); left > 0; left--) {
      await again.press('Enter');
      await expect(notices, address).toHaveCount(left - 1);
      await expect.poll(() => describeFocus(page), address).toMatch(/^H\d |Try Again/);
    }
  }
});
