/**
 * bench:ui: measures how responsive the dashboard is, in real Chromium with the built assets.
 *
 * Recipe. The real server (embedded stores, RATE_LIMITS=off) receives 100,000 requests, a trace of 10,000 steps, one of 100,000, and one of
 * 20 MB of JSON. Each round uses a fresh profile of the browser that npm installed, headless, 1440 × 900, on the same machine as the
 * server. It opens the dashboard without a cache, scrolls the list for some seconds with the wheel, opens each trace from the list and
 * switches through its views. Times are measured with the page's own clock, from the click to the frame that shows the result; the longest
 * task is what the browser reports. Then 100 traces are opened and closed in one page, and its heap after a garbage collection is compared
 * with the heap after twenty. A round in which something is not shown fails.
 *
 * `--only list,steps,raw,memory,live` measures only some parts: scrolling a list, traces with many steps, raw JSON, the heap, new requests
 * in an open list.
 *
 *   npm run build && npm run bench:ui [-- --quick] [-- --only PARTS] [-- --json FILE]
 */
import { gzipSync } from 'node:zlib';
import type { Browser, Response } from '@playwright/test';
import { createClient, IngestAnswer, routes } from '@throughline/contract';
import { calibrationMs } from '../lib/calibration.ts';
import { type Figure, figure, report } from '../lib/figures.ts';
import { startServerProcess } from '../lib/server-process.ts';
import { acceptedToOnScreenMs } from './live.ts';
import { checkBuilt, launchChromium, type MeasuredPage, openPage, shownAt, untilShown } from './page.ts';
import { listedRequest, requestOfBytes, requestOfSteps } from './traces.ts';
import { ROW, traceOfSteps } from './views.ts';

const args = process.argv.slice(2);
const quick = args.includes('--quick');
const ROUNDS = quick ? 3 : 7;
const PARTS = ['list', 'steps', 'raw', 'memory', 'live'];
const only = args.includes('--only') ? (args[args.indexOf('--only') + 1]?.split(',') ?? []) : PARTS;
if (only.length === 0 || only.some((part) => !PARTS.includes(part))) {
  throw new Error(`--only takes some of ${PARTS.join(',')}`);
}
/** If the list is not measured, a short list is enough. */
const LISTED = !only.includes('list') ? 100 : quick ? 20_000 : 100_000;
const OPENED = 100;
/** Number of different traces. Each is opened before the heap is first measured, so that the caches are already full. */
const DIFFERENT = 10;
const WARM = 20;
const BATCH = Math.min(5000, LISTED);
const RAW_BYTES = 20_000_000;
const SCROLLS = 120;

const JSON_TREE = '[role="tree"][aria-label="Trace as JSON"]';

checkBuilt();
const server = await startServerProcess();
const browser = await launchChromium().catch(async (error: unknown) => {
  await server.removeFolder();
  throw error;
});
const measured = new Map<string, number[]>();
const note = (name: string, value: number) => measured.set(name, [...(measured.get(name) ?? []), value]);
const besideLoop: number[] = [];

try {
  await fill();
  const ids = await largeTraces();
  for (let round = 0; round < ROUNDS; round += 1) {
    besideLoop.push(calibrationMs());
    if (only.includes('list')) await inPage(browser, (opened) => firstScreen(opened));
    for (const steps of only.includes('steps') ? [10_000, 100_000] : []) {
      const noteSteps = (name: string, value: number) => note(`${steps} ${name}`, value);
      await inPage(browser, (opened) => traceOfSteps(opened, ids.steps(steps), noteSteps));
    }
    if (only.includes('raw')) await inPage(browser, (opened) => rawTrace(opened, ids.raw));
    const values = [...measured].map(([name, each]) => `${name} ${Math.round(each.at(-1) ?? 0)}`);
    process.stdout.write(`round ${round + 1}: ${values.join(', ')}\n`);
  }
  if (only.includes('memory')) await inPage(browser, memory);
  // The live requests come last, because their rows are above the traces that the other measurements look for.
  for (let round = 0; round < ROUNDS && only.includes('live'); round += 1) {
    await inPage(browser, live);
  }
} finally {
  // If the browser crashed, closing it fails, but the server must still be stopped.
  await browser.close().catch(() => undefined);
  await server.removeFolder();
}

await report('ui', figures(), args);

async function send(traces: readonly unknown[]): Promise<void> {
  const answer = await fetch(`${server.url}/api/ingest/traces`, {
    method: 'POST',
    headers: { 'x-api-key': server.apiKey, 'content-type': 'application/json', 'content-encoding': 'gzip' },
    body: gzipSync(JSON.stringify({ service: { name: 'shop' }, traces }), { level: 1 }),
  });
  const { accepted } = IngestAnswer.parse(await answer.json());
  if (accepted !== traces.length) throw new Error(`${accepted} of ${traces.length} traces were accepted`);
}

async function fill(): Promise<void> {
  const now = Date.now() - 60_000;
  for (let from = 0; from < LISTED; from += BATCH) {
    await send(Array.from({ length: BATCH }, (_, index) => listedRequest(from + index, now)));
  }
  // Sends the large traces last, so that they are at the top of the list.
  for (const steps of [10_000, 100_000]) await send([requestOfSteps(steps, Date.now())]);
  await send([requestOfBytes(RAW_BYTES, Date.now())]);
}

async function largeTraces() {
  const owner = createClient({ baseUrl: server.url, fetch, token: () => server.token });
  const { traces, total } = await owner.call(routes.traces.list, { query: { limit: 10 } });
  if (total !== LISTED + 3) throw new Error(`${total} traces are listed, not ${LISTED + 3}`);
  const findId = (path: string) => {
    const id = traces.find(({ request }) => request.path === path)?._id;
    if (id === undefined) throw new Error(`${path} is not at the list's top`);
    return id;
  };
  return { raw: findId('/bytes'), steps: (steps: number) => findId(`/steps/${steps}`) };
}

async function inPage(of: Browser, look: (opened: MeasuredPage) => Promise<void>): Promise<void> {
  const opened = await openPage(of, server.url, server.token);
  try {
    await look(opened);
  } finally {
    await opened.close();
  }
}

async function firstScreen({ page, busy }: MeasuredPage): Promise<void> {
  const scripts: Response[] = [];
  page.on('response', (response) => {
    if (response.request().resourceType() === 'script') scripts.push(response);
  });
  await page.goto('/dashboard');
  note('first list', await shownAt(page, ROW));
  // Reads the scripts here and not in the listener, so that a failed read fails this round.
  const sizes = await Promise.all(
    scripts.map(async (script) => gzipSync(await script.body(), { level: 9 }).length),
  );
  note('first screen JavaScript', sizes.reduce((sum, size) => sum + size, 0) / 1000);
  // Waits, so that requests for the first screen do not count as part of scrolling.
  await page.waitForTimeout(1000);
  await busy();
  await page.mouse.move(700, 700);
  for (let turn = 0; turn < SCROLLS; turn += 1) {
    await page.mouse.wheel(0, 400);
    await page.waitForTimeout(16);
  }
  if ((await page.evaluate(() => window.scrollY)) === 0) throw new Error('the list was not scrolled');
  const { longestFrameMs } = await busy();
  // Rounded, because frames coincide with screen refreshes and the page's clock is exact to 0.1 ms: three refreshes are 50.0 or 50.1.
  note('list scrolled', Math.round(longestFrameMs));
}

async function rawTrace({ page, busy }: MeasuredPage, id: string): Promise<void> {
  await page.goto('/raw-traces');
  await shownAt(page, ROW);
  await busy();
  const row = page.locator(`[data-row="${id}"]`);
  const started = await page.evaluate(() => performance.now());
  await row.getByRole('button', { name: 'View Raw' }).click();
  note('raw shown', (await shownAt(page, JSON_TREE)) - started);
  note('raw whole', (await shownAt(page, `${JSON_TREE}[aria-busy="false"]`)) - started);
  const { longestTaskMs } = await busy();
  note('raw longest task', longestTaskMs);
}

async function live(opened: MeasuredPage): Promise<void> {
  note('live', await acceptedToOnScreenMs(opened, send));
}

async function memory({ page, heapBytes }: MeasuredPage): Promise<void> {
  await page.goto('/dashboard');
  await shownAt(page, ROW);
  let before = 0;
  for (let turn = 0; turn < OPENED + WARM; turn += 1) {
    const open = page
      .locator(ROW)
      .nth(3 + (turn % DIFFERENT))
      .getByRole('button', { name: 'View' });
    await untilShown(page, '[role="dialog"] h2', () => open.click());
    await page.getByRole('button', { name: 'Close' }).click();
    await page.locator('[role="dialog"]').waitFor({ state: 'detached' });
    if (turn === WARM - 1) before = await heapBytes();
  }
  note('memory', (await heapBytes()) / before);
}

function figures(): Figure[] {
  const row = (name: string, of: string, unit: string, must?: string) =>
    figure(name, unit, measured.get(of) ?? [], must);
  /** A result in milliseconds is also reported as a ratio to a fixed loop that was measured in the same round. */
  const timed = (name: string, of: string, must: string) => {
    const ratios = (measured.get(of) ?? []).map((ms, round) => ms / (besideLoop[round] ?? Number.NaN));
    return [row(name, of, 'ms', must), figure(`${name}, by a fixed loop beside it`, 'ratio', ratios)];
  };
  const parts: Readonly<Record<string, () => Figure[]>> = {
    list: () => [
      row(
        'signed-in dashboard, cold: JavaScript gzipped on the first screen',
        'first screen JavaScript',
        'kB',
        '<= 250',
      ),
      ...timed('first list shown after the page loads from localhost', 'first list', '<= 1000'),
      ...timed(
        `list of ${LISTED.toLocaleString('en-US')} traces scrolled: longest frame`,
        'list scrolled',
        '<= 50',
      ),
    ],
    steps: () => [
      ...timed('trace with 10,000 steps: open to interactive, steps', '10000 open', '<= 1000'),
      ...timed('trace with 10,000 steps: timeline', '10000 timeline', '<= 1000'),
      ...timed('trace with 10,000 steps: flow graph collapsed', '10000 flow', '<= 1000'),
      row('trace with 10,000 steps: longest task', '10000 longest task', 'ms'),
      row('trace with 100,000 steps: open to interactive, steps', '100000 open', 'ms'),
      row('trace with 100,000 steps: timeline', '100000 timeline', 'ms'),
      row('trace with 100,000 steps: flow graph collapsed', '100000 flow', 'ms'),
      ...timed('trace with 100,000 steps: longest task', '100000 longest task', '<= 200'),
    ],
    raw: () => [
      ...timed('raw JSON of 20 MB: shown', 'raw shown', '<= 1000'),
      row('raw JSON of 20 MB: all of it here, to search and save', 'raw whole', 'ms'),
      ...timed('raw JSON of 20 MB: longest task', 'raw longest task', '<= 200'),
    ],
    live: () => timed('live feed: accepted to on screen, the longest of ten', 'live', '<= 1000'),
    memory: () => [
      row(`heap after ${OPENED} traces opened and closed / before`, 'memory', 'ratio', '<= 1.1'),
    ],
  };
  return PARTS.filter((part) => only.includes(part)).flatMap((part) => parts[part]?.() ?? []);
}
