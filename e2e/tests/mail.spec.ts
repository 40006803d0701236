import { expect, type Page } from '@playwright/test';
import { signUp } from '../harness/people/signed-up.ts';
import { test } from '../harness/server/worker-server.ts';

/** Minimum contrast of text in normal size according to WCAG 2.2 AA. */
const ENOUGH = 4.5;

/**
 * Returns the HTML of the mail that resets a password, as the server sends it. One mail is enough, because all mails are built by the same
 * code.
 */
async function resetMail(page: Page, email: string): Promise<string> {
  await page.request.post('/api/auth/password/forgot', { data: { email } });
  await page.goto('/dev/outbox');
  const message = page
    .getByRole('article')
    .filter({ hasText: `To: ${email}` })
    .filter({ hasText: 'Subject: Set a new Throughline password' })
    .first();
  await expect(async () => {
    await page.reload();
    await expect(message).toBeVisible({ timeout: 500 });
  }).toPass();
  const address = await message.getByRole('link', { name: 'As HTML' }).getAttribute('href');
  return (await page.request.get(address ?? '')).text();
}

/** Returns each text on the page with the contrast, from 1 to 21, to its background. The browser renders both. */
function contrasts(page: Page): Promise<{ text: string; ratio: number }[]> {
  return page.evaluate(() => {
    const channels = (colour: string) => (colour.match(/[\d.]+/g) ?? []).map(Number);
    const luminance = ([red = 0, green = 0, blue = 0]: number[]) => {
      const [r = 0, g = 0, b = 0] = [red, green, blue].map((channel) => {
        const share = channel / 255;
        return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
      });
      return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const behind = (element: Element | null): number[] => {
      if (element === null) throw new Error('a text stands on nothing');
      const colour = channels(getComputedStyle(element).backgroundColor);
      return colour[3] === 0 ? behind(element.parentElement) : colour;
    };
    const found: { text: string; ratio: number }[] = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      const text = node.textContent?.trim() ?? '';
      const { parentElement } = node;
      if (text === '' || parentElement === null) continue;
      const [one, other] = [
        luminance(channels(getComputedStyle(parentElement).color)),
        luminance(behind(parentElement)),
      ];
      found.push({ text, ratio: (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05) });
    }
    return found;
  });
}

test('every email is readable in light and dark', async ({ page, browser, ada }) => {
  await signUp(page, ada);
  const html = await resetMail(page, ada.email);
  const backgrounds: string[] = [];
  for (const colorScheme of ['light', 'dark'] as const) {
    const context = await browser.newContext({ colorScheme });
    const mail = await context.newPage();
    await mail.setContent(html);
    const texts = await contrasts(mail);
    expect(texts.length, 'name, words, button, its address, note').toBeGreaterThanOrEqual(5);
    expect(texts.filter(({ ratio }) => ratio < ENOUGH)).toEqual([]);
    backgrounds.push(await mail.evaluate(() => getComputedStyle(document.body).backgroundColor));
    // A mail client without colour schemes that drops the styles shows the complete light version.
    await mail.setContent(html.replace(/<style>.*<\/style>/s, ''));
    expect((await contrasts(mail)).filter(({ ratio }) => ratio < ENOUGH)).toEqual([]);
    await mail.setContent(html.replace('#e9ecef', '#343a40'));
    const spoiled = (await contrasts(mail)).filter(({ ratio }) => ratio < ENOUGH);
    expect(spoiled.length > 0, 'what cannot be read is found').toBe(colorScheme === 'dark');
    await context.close();
  }
  expect(new Set(backgrounds).size).toBe(2);
});
