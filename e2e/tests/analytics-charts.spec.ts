import { readFile } from 'node:fs/promises';
import { expect, type Page } from '@playwright/test';
import { chart, requests, savedBy, signUpWithFigures, TABS, tab } from '../harness/pages/analytics.ts';
import { test } from '../harness/server/worker-server.ts';
import { sendBusyWeek } from '../harness/traces/busy-week.ts';

/** Returns the x positions of the crosshair in the charts over time, in pixels. */
const crosshairs = (page: Page) =>
  page
    .locator('.u-cursor-x')
    .evaluateAll((lines) => lines.map((line) => new DOMMatrix(getComputedStyle(line).transform).e));

test('pointing at an interval in one chart marks the interval in all charts, and the marked interval links to its traces @long', async ({
  page,
  ada,
  organizationName,
}) => {
  await signUpWithFigures(page, ada, organizationName, requests());
  const days = [1, 0].map((ago) => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10));
  await page.goto(`/analytics?tab=system&start=${days[0]}&end=${days[1]}`);
  const words = page.getByRole('figure').getByRole('status');
  await expect(page.getByRole('figure')).toHaveCount(4);
  const stretches = async () => (await words.allTextContents()).map((text) => text.split(': ')[0]);
  const charts = await page.getByRole('application').all();
  for (const [at, pointed] of charts.entries()) {
    const box = await pointed.boundingBox();
    if (box === null) throw new Error('a chart has no place');
    await pointed.hover({ position: { x: box.width * (0.3 + 0.15 * at), y: box.height / 2 } });
    // Repeats the checks, because the status texts and the crosshairs of the other charts follow the pointer only a frame later.
    await expect(async () => {
      const shown = await stretches();
      expect(shown[0], `pointing at chart ${at + 1}`).toContain(' – ');
      expect(new Set(shown).size, `pointing at chart ${at + 1}`).toBe(1);
      const lines = await crosshairs(page);
      // In the chart under the pointer, the crosshair is at the pointer; in the others, it is in the middle of the pointer's interval.
      expect(Math.max(...lines) - Math.min(...lines)).toBeLessThan(box.width / 24);
      expect(Math.min(...lines)).toBeGreaterThan(40);
    }).toPass();
  }
  await page.mouse.move(2, 2);
  await expect(words.first()).toHaveText('');
  expect(Math.max(...(await crosshairs(page)))).toBeLessThanOrEqual(0);

  await tab(page, 'Overview').click();
  const volume = chart(page, 'Request volume by hour');
  await volume.getByRole('application').focus();
  await page.keyboard.press('End');
  const status = volume.getByRole('status');
  while (!/Requests [1-9]/.test((await status.textContent()) ?? '')) await page.keyboard.press('ArrowLeft');
  const [, all = ''] = /Requests (\d+)/.exec((await status.textContent()) ?? '') ?? [];
  await page.keyboard.press('Enter');
  const link = volume.getByRole('link', { name: new RegExp(`^Show ${all} traces?$`) });
  await expect(link).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(link).toHaveCount(0);
  await page.keyboard.press('Enter');
  await link.click();
  await expect(page.getByText(`Showing ${all} of ${all} traces`)).toBeVisible();
});

test('every chart can be shown as a table, and saved as an image and as CSV @long', async ({
  page,
  ada,
  organizationName,
}) => {
  await signUpWithFigures(page, ada, organizationName, requests());
  await page.goto('/analytics');
  const names = new Set<string>();
  for (const { name } of TABS) {
    await tab(page, name).click();
    await expect(page.getByRole('figure').first()).toBeVisible();
    for (const figure of await page.getByRole('figure').all()) {
      const label = (await figure.getAttribute('aria-label')) ?? '';
      const png = await savedBy(page, figure.getByRole('button', { name: 'Save as PNG' }));
      const picture = await readFile(await png.path());
      expect(picture.subarray(0, 8).toString('hex'), label).toBe('89504e470d0a1a0a');
      // The header of the PNG file contains the picture's width and height. Both must exceed 100 px.
      expect(Math.min(picture.readUInt32BE(16), picture.readUInt32BE(20)), label).toBeGreaterThan(100);
      const csv = await savedBy(page, figure.getByRole('button', { name: 'Save as CSV' }));
      expect(csv.suggestedFilename()).toBe(png.suggestedFilename().replace('.png', '.csv'));
      names.add(csv.suggestedFilename());
      const lines = (await readFile(await csv.path())).toString().trimEnd().split('\r\n');
      await figure.getByRole('button', { name: 'Show as table' }).click();
      const table = figure.getByRole('table');
      await expect(table.getByRole('columnheader')).toHaveCount(lines[0]?.split(',').length ?? 0);
      expect(lines.length, label).toBeGreaterThan(1);
      expect(await table.locator('tbody tr').count(), label).toBeGreaterThan(0);
      await figure.getByRole('button', { name: 'Show as table' }).click();
    }
  }
  expect(names.size).toBe(19);
});

/** Matches the labels of links whose number is a number of requests, such as `Total Traces 17`. Other numbers count steps, or are sums. */
const COUNTED =
  /^(Total Traces|Error Traces|Errors|Requests|Count|Total requests|Anonymous requests) ([\d,]+)/;
const OF_STEPS = ['Step patterns', 'Service dependencies'];

interface Lead {
  readonly href: string;
  readonly text: string;
  /** The number of requests in the link's text; null if the text has another number, such as a number of steps. */
  readonly count: number | null;
}

/** Lists all links from the open tab to the trace list, each with its text. */
async function listLinks(page: Page): Promise<readonly Lead[]> {
  const found = await page.locator('main a[href^="/dashboard?"]').evaluateAll((links) =>
    links.map((link) => {
      const cell = link.closest('td');
      const table = link.closest('table');
      const head = cell === null ? '' : (table?.tHead?.rows[0]?.cells[cell.cellIndex]?.textContent ?? '');
      const label = link.getAttribute('aria-label') ?? `${head} ${link.textContent ?? ''}`;
      return { href: link.getAttribute('href') ?? '', label, table: table?.getAttribute('aria-label') ?? '' };
    }),
  );
  return found.map(({ href, label, table }) => {
    const [, , count] = COUNTED.exec(label) ?? [];
    return {
      href,
      text: `${table} ${label}`.trim(),
      count: count === undefined || OF_STEPS.includes(table) ? null : Number(count.replaceAll(',', '')),
    };
  });
}

test('every number links to a list with the same number of traces @long', async ({
  page,
  ada,
  organizationName,
}) => {
  test.setTimeout(1_200_000);
  await signUpWithFigures(page, ada, organizationName, []);
  await sendBusyWeek(page);
  const leads: Lead[] = [];
  for (const { id } of TABS) {
    await page.goto(`/analytics?tab=${id}`);
    await expect(page.getByRole('figure').first()).toBeVisible();
    leads.push(...(await listLinks(page)));
  }
  const byAddress = Map.groupBy(leads, ({ href }) => href);
  expect(byAddress.size).toBeGreaterThan(60);
  for (const [href, same] of byAddress) {
    await page.goto(href);
    const caption = page.getByText(/^Showing [\d,]+ of [\d,]+ traces$/);
    await expect(caption, same[0]?.text ?? href).toBeVisible();
    const [, total = ''] = /of ([\d,]+) traces/.exec((await caption.textContent()) ?? '') ?? [];
    const listed = Number(total.replaceAll(',', ''));
    for (const { text, count } of same) {
      if (count === null) expect.soft(listed, text).toBeGreaterThan(0);
      else expect.soft(listed, text).toBe(count);
    }
  }
});
