import { afterAll, beforeAll, expect, test } from 'vitest';
import { checkBuilt, launchChromium, shownAt } from './page.ts';

let browser: Awaited<ReturnType<typeof launchChromium>>;
beforeAll(async () => {
  browser = await launchChromium();
}, 60_000);
afterAll(() => browser.close());

test('waiting for an element that never appears fails with an error that names the selector and the page', async () => {
  const page = await browser.newPage();
  await page.setContent('<p id="there">there</p>');
  expect(await shownAt(page, '#there')).toBeGreaterThan(0);
  await expect(shownAt(page, '#never', 200)).rejects.toThrow(
    '#never was not shown within 0.2 s on about:blank',
  );
}, 60_000);

test('if the dashboard is not built, checkBuilt throws an error that names the build command', () => {
  expect(() => checkBuilt(new URL('no-such-page.html', import.meta.url))).toThrow(/npm run build/);
});
