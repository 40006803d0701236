import { expect, type Locator, type Page } from '@playwright/test';
import { savedSvg } from '../harness/browser/saved-picture.ts';
import { signUpWithTraces } from '../harness/people/signed-up.ts';
import { test } from '../harness/server/worker-server.ts';
import { hostileText, oddShapes, requestWith } from '../harness/traces/extreme-traces.ts';

const STEPS = { role: 'tree', name: 'Steps' } as const;
/** The views of a trace, with an element that exists once the view is drawn. */
const VIEWS = {
  timeline: (page: Page) => page.getByRole(STEPS.role, { name: STEPS.name }).getByRole('treeitem').first(),
  flame: (page: Page) => page.getByRole('tabpanel').locator('canvas').first(),
  sequence: (page: Page) => page.getByRole('tabpanel', { name: 'Sequence' }),
  files: (page: Page) => page.getByRole('listbox', { name: 'Files and functions' }),
  request: (page: Page) => page.getByRole('tabpanel', { name: 'Request' }),
  response: (page: Page) => page.getByRole('tabpanel', { name: 'Response' }),
  performance: (page: Page) => page.getByRole('tabpanel', { name: 'Performance' }),
  flow: (page: Page) => page.locator('.react-flow__node').first(),
} as const;

/** Records uncaught errors, dialogs and policy violations of a page, and whether captured text ran as code. */
async function listen(page: Page): Promise<() => Promise<readonly string[]>> {
  const heard: string[] = [];
  page.on('pageerror', (error) => heard.push(`error: ${error.message}`));
  page.on('dialog', (dialog) => {
    heard.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  await page.addInitScript(() => {
    addEventListener('securitypolicyviolation', (event) => {
      console.error(`refused: ${event.violatedDirective} ${event.blockedURI}`);
    });
  });
  page.on('console', (message) => {
    if (message.text().startsWith('refused: ')) heard.push(message.text());
  });
  return async () => {
    if (await page.evaluate(() => 'ran' in window)) heard.push('captured text ran');
    return heard;
  };
}

/** Returns how far the page's content extends beyond the right edge of the window, in pixels. */
function measureOverflow(page: Page): Promise<number> {
  return page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
}

/** Returns the ids (`_id`) of the listed traces, by path. */
async function readIds(page: Page): Promise<ReadonlyMap<string, string>> {
  const token = await page.evaluate(() => localStorage.getItem('auth_token'));
  const answer = await page.request.get('/api/traces?limit=100', {
    headers: { authorization: `Bearer ${token}` },
  });
  const { traces }: { traces: { _id: string; request: { path: string } }[] } = await answer.json();
  return new Map(traces.map(({ _id, request }) => [request.path, _id]));
}

test('no captured text runs as code or loads anything, in any view', async ({ page, ada }) => {
  test.setTimeout(240_000);
  const said = await listen(page);
  await signUpWithTraces(page, ada, [hostileText(new Date())]);
  const [id] = (await readIds(page)).values();
  const expectFits = async (what: string, drawn: () => Locator) => {
    for (const width of [1440, 360]) {
      await page.setViewportSize({ width, height: 900 });
      await expect(drawn(), `${what} at ${width}`).toBeVisible();
      await expect.poll(() => measureOverflow(page), `${what} at ${width}`).toBe(0);
    }
    expect(await said(), what).toEqual([]);
  };
  for (const [view, drawn] of Object.entries(VIEWS)) {
    await page.goto(`/traces/${id}?view=${view}`);
    await expectFits(view, () => drawn(page));
  }
  // The flow graph is the last view; it is also saved as a picture.
  expect((await savedSvg(page)).text).toContain('<script>');
  for (const address of [`/dashboard?trace=${id}`, `/raw-traces?trace=${id}`]) {
    await page.goto(address);
    const dialog = page.getByRole('dialog');
    await expect(dialog).toContainText('<script>');
    await expectFits(address, () => dialog.getByRole('treeitem').first());
  }
  await page.goto('/dashboard');
  await expectFits('list', () => page.locator('[data-row]').filter({ hasText: '<script>' }));
  await page.keyboard.press('Control+k');
  await expectFits('palette', () => page.getByRole('option', { name: /<script>/ }));
});

test('steps without parents, without durations or with wrong clocks are shown in every view @long', async ({
  page,
  ada,
}) => {
  const said = await listen(page);
  const at = new Date();
  const odd = requestWith('/odd', at, 30, (index) => ({
    ...(index % 3 === 0 ? { parentStepId: `gone${index}` } : {}),
    startTime: new Date(at.getTime() + (index % 2 === 0 ? -1 : 1) * index * 60_000).toISOString(),
    // Every second step ends before it begins.
    endTime: new Date(at.getTime() - index).toISOString(),
    duration: index % 4 === 0 ? 0 : index,
  }));
  await signUpWithTraces(page, ada, [{ ...odd, timing: { startTime: at.toISOString(), duration: 0 } }]);
  await page.goto('/dashboard');
  await expect(page.getByRole('row', { name: /odd/ })).toContainText('0 ms');
  await expectWholeInEachView(page, { id: (await readIds(page)).get('/odd'), steps: 30, what: 'odd' });
  await expect(page.locator('.react-flow__minimap')).toBeVisible();
  expect(await said()).toEqual([]);
});

test("each step of a trace is shown or counted in every view, whatever the trace's shape @long", async ({
  page,
  ada,
}) => {
  test.setTimeout(480_000);
  const said = await listen(page);
  const shapes = oddShapes(new Date());
  await signUpWithTraces(
    page,
    ada,
    shapes.map(({ trace }) => trace),
  );
  const ids = await readIds(page);
  for (const { path, steps } of shapes) {
    await expectWholeInEachView(page, { id: ids.get(path), steps, what: path });
    expect(await said(), path).toEqual([]);
  }
});

test('a trace of 100,000 steps opens in every view @long', async ({ page, ada }) => {
  test.setTimeout(240_000);
  const said = await listen(page);
  const steps = 100_000;
  await signUpWithTraces(page, ada, [requestWith('/most', new Date(), steps, () => ({}))]);
  const [id] = (await readIds(page)).values();
  await expectWholeInEachView(page, { id, steps, what: 'the most' });
  await page.goto(`/raw-traces?trace=${id}`);
  await expect(page.getByRole('tree', { name: 'Trace as JSON' }).getByRole('treeitem').first()).toBeVisible();
  expect(await said()).toEqual([]);
});

interface Looked {
  readonly id: string | undefined;
  readonly steps: number;
  readonly what: string;
}

/** Checks that each view of a trace is drawn and stays within the page, and that the list of files and the flow graph count all steps. */
async function expectWholeInEachView(page: Page, { id, steps, what }: Looked): Promise<void> {
  await page.goto(`/traces/${id}?view=files`);
  await expectCounted(page, steps, what);
  for (const [tab, drawn] of [
    ['Timeline', VIEWS.timeline],
    ['Flame graph', VIEWS.flame],
    ['Sequence', VIEWS.sequence],
  ] as const) {
    await page.getByRole('tab', { name: tab }).click();
    await expect(drawn(page), `${what}: ${tab}`).toBeVisible();
    expect(await measureOverflow(page), `${what}: ${tab}`).toBe(0);
  }
  await page.getByRole('button', { name: 'Flow graph' }).click();
  await expect(VIEWS.flow(page), `${what}: flow`).toBeVisible();
  const nodes = page.getByLabel('Flow summary').locator('div').filter({ hasText: 'Nodes' });
  await expect(nodes.getByRole('definition'), what).toHaveText(steps.toLocaleString('en-US'));
}

/** Checks that the step counts of the files add up to all steps. Scrolls through the list, because it renders only the visible rows. */
async function expectCounted(page: Page, steps: number, what: string): Promise<void> {
  const list = page.getByRole('listbox', { name: 'Files and functions' });
  await expect(list, what).toBeVisible();
  // The list renders new rows shortly after scrolling. If a round misses rows, it is repeated.
  await expect(async () => {
    await list.evaluate((element) => element.parentElement?.scrollTo(0, 0));
    const counts = new Map<string, number>();
    let before = -1;
    for (let top = 0; top !== before; ) {
      await page.waitForTimeout(50);
      for (const text of await list
        .getByText(/^[\d,]+ steps?\b.*self/)
        .locator('..')
        .allTextContents()) {
        const count = /([\d,]+) steps? · self/.exec(text)?.[1] ?? '';
        counts.set(text, Number(count.replaceAll(',', '')));
      }
      before = top;
      top = await list.evaluate((element) => {
        element.parentElement?.scrollBy(0, element.parentElement.clientHeight / 2);
        return element.parentElement?.scrollTop ?? 0;
      });
    }
    const sum = [...counts.values()].reduce((all, count) => all + count, 0);
    expect(sum, what).toBe(steps);
  }).toPass({ timeout: 60_000 });
}
