import { expect } from '@playwright/test';
import { signUpWithTraces } from '../harness/people/signed-up.ts';
import { test } from '../harness/server/worker-server.ts';
import { plainRequest } from '../harness/traces/traces.ts';

/** Returns the positions of the dashboard's filters, headings and rows, or of their placeholders while the page loads. */
function readPlaces(): Readonly<Record<string, number>> {
  const table = document.querySelector('main table');
  const filters = document.querySelector('main search, main [aria-hidden] [class*="caption"]');
  const top = (element: Element | null | undefined) => Math.round(element?.getBoundingClientRect().top ?? -1);
  const places: Record<string, number> = {
    filters: top(filters?.closest('[class*="filters"]')),
    headings: top(table?.querySelector('thead')),
    'first row': top(table?.querySelector('tbody tr')),
    'second row': top(table?.querySelectorAll('tbody tr')[1]),
  };
  const isTall = table?.getAttribute('data-tall') === 'true';
  if (isTall) return places;
  for (const heading of table?.querySelectorAll('th') ?? []) {
    const name = heading.textContent?.trim() ?? '';
    if (name !== '') places[name] = Math.round(heading.getBoundingClientRect().left);
  }
  return places;
}

for (const width of [1440, 900, 360]) {
  test(`at ${width} px, the dashboard's placeholders are where the loaded parts of the page then appear`, async ({
    page,
    ada,
  }) => {
    const now = Date.now();
    await signUpWithTraces(
      page,
      ada,
      [1, 2, 3].map((minutes) => plainRequest('/orders', new Date(now - minutes * 60_000))),
    );
    await page.setViewportSize({ width, height: 900 });
    const release = Promise.withResolvers<void>();
    await page.route(/\/api\/(projects|traces)/, async (route) => {
      await release.promise;
      await route.continue().catch(() => undefined);
    });
    await page.goto('/dashboard');
    await expect(page.locator('main [aria-busy="true"] table')).toBeVisible();
    const before = await page.evaluate(readPlaces);
    release.resolve();
    await expect(page.getByRole('table', { name: 'Recent traces' })).toBeVisible();
    await expect(page.getByRole('region', { name: 'Charts' })).toBeVisible();
    expect(await page.evaluate(readPlaces)).toEqual(before);
  });
}
