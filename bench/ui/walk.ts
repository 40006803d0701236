/**
 * bench:walk: counts the clicks and keys that answer a user's questions, in real Chromium.
 *
 * Recipe of the tasks (`walk/tasks.ts`). The real server runs with the built dashboard, and stores the requests of `walk/requests.ts`. For
 * each task, a simulated user goes from the list of traces, or from the page where a newcomer begins, to the answer. The walk fails if the
 * answer is not in the window. Pointing at a row does not count as a click, but the time to point is added.
 *
 * Recipe of the demo shop, for the comparison with Zipkin: from "a request failed" to "this value is wrong". The demo shop runs with the
 * SDK, and simulated visitors send requests to it all the time. Once a checkout has failed, a simulated user goes from the list of traces
 * to the wrong value: by mouse, and by keyboard only. Clicks, keys and seconds are counted until the value is visible. With `--zipkin FILE`
 * (Zipkin's `exec` jar, from Maven Central; needs Java), the same shop, traced by OpenTelemetry's automatic instrumentations, sends to
 * Zipkin. In Zipkin, the user goes as far as Zipkin allows: to the error's message. There is no walk by keyboard only, because Zipkin's
 * rows of spans have no keyboard control. Each round uses a fresh profile.
 *
 * `--only tasks` or `--only shop` runs only one of the two recipes.
 *
 *   npm run build && npm run bench:walk [-- --only PARTS] [-- --zipkin zipkin-server-3.5.1-exec.jar] [-- --json FILE]
 */
import type { Locator, Page } from '@playwright/test';
import { type Figure, figure, report } from '../lib/figures.ts';
import { type ServerProcess, startServerProcess } from '../lib/server-process.ts';
import { checkBuilt, launchChromium, openPage } from './page.ts';
import { sendRequests } from './walk/send.ts';
import { TASKS } from './walk/tasks.ts';
import { openTelemetryShop, startZipkin, tracedShop } from './walk-programs.ts';
import { type Arrived, Walker } from './walker.ts';

const ROUNDS = 5;
const UNTIL_FAILED_MS = 120_000;
const args = process.argv.slice(2);
const zipkinJar = args[args.indexOf('--zipkin') + 1];
const PARTS = ['tasks', 'shop'];
const only = args.includes('--only') ? (args[args.indexOf('--only') + 1]?.split(',') ?? []) : PARTS;
if (only.length === 0 || only.some((part) => !PARTS.includes(part))) {
  throw new Error(`--only takes some of ${PARTS.join(',')}`);
}
const measured = new Map<string, Arrived[]>();

checkBuilt();
const browser = await launchChromium();
try {
  if (only.includes('tasks')) await walkTasks();
  if (only.includes('shop')) await walkHere();
  if (args.includes('--zipkin')) await walkInZipkin(zipkinJar ?? '');
} finally {
  await browser.close();
}
await report('walk', figures(), args);

interface Opened {
  readonly page: Page;
  readonly close: () => Promise<void>;
}

/** Opens the list of traces, or the page at `path`, in a fresh profile. */
async function openAt(server: ServerProcess, path?: string): Promise<Opened> {
  const opened = await openPage(browser, server.url, server.token);
  await opened.page.goto(path ?? '/dashboard');
  if (path === undefined) await opened.page.getByText(/^Showing/).waitFor();
  return opened;
}

async function walkTasks(): Promise<void> {
  const server = await startServerProcess();
  try {
    await sendRequests(server);
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const { name, from, byMouse, byKeyboard } of TASKS) {
        const begin = () => openAt(server, from);
        await walk(name, begin, byMouse);
        if (byKeyboard !== undefined) await walk(`${name}, by keyboard`, begin, byKeyboard);
      }
    }
    await server.stop();
  } finally {
    await server.removeFolder();
  }
}

async function walkHere(): Promise<void> {
  const server = await startServerProcess();
  const shop = await tracedShop(server.url, server.apiKey);
  try {
    const failed = (page: Page) => page.getByRole('row', { name: /POST \/checkout.* 500/ }).first();
    const begin = () => openAt(server);
    const first = await begin();
    await first.page.goto('/dashboard?status=error');
    await failed(first.page).waitFor({ timeout: UNTIL_FAILED_MS });
    await first.close();
    for (let round = 0; round < ROUNDS; round += 1) {
      await walk('Throughline, by mouse', begin, async (walker) => {
        await walker.choose(walker.page.getByRole('combobox', { name: 'Status' }), 'error');
        await walker.click(failed(walker.page).getByRole('button', { name: 'View' }));
        await wrongValue(walker.page);
      });
      await walk('Throughline, by keyboard', begin, async (walker) => {
        await walker.press('e');
        await failed(walker.page).waitFor();
        while (!(await hasFocus(failed(walker.page)))) await walker.press('j');
        await walker.press('Enter');
        await wrongValue(walker.page);
      });
    }
  } finally {
    await shop.stop();
    await server.stop();
    await server.removeFolder();
  }
}

/** Waits until the page shows the country without a tax rate, and the undefined rate next to the line that failed. */
async function wrongValue(page: Page): Promise<void> {
  const step = page.getByRole('region', { name: /^Step \d+: taxFor$/ });
  await step.getByRole('tree', { name: 'Parameters' }).getByText('"UK"').waitFor();
  await step.getByRole('treeitem', { name: /entry/ }).getByText('undefined').waitFor();
}

async function walkInZipkin(jar: string): Promise<void> {
  const zipkin = await startZipkin(jar);
  const shop = await openTelemetryShop(zipkin.url);
  try {
    const query = 'http.response.status_code=500';
    await zipkin.untilFound(query, UNTIL_FAILED_MS);
    const begin = async () => {
      const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
      const page = await context.newPage();
      await page.goto(`${zipkin.url}/zipkin/`);
      await page.getByRole('button', { name: 'Run Query' }).waitFor();
      return { page, close: () => context.close() };
    };
    for (let round = 0; round < ROUNDS; round += 1) {
      await walk('Zipkin, by mouse and keyboard', begin, async (walker) => {
        const { page } = walker;
        await walker.click(page.getByRole('main').getByRole('button').first());
        await walker.type('tagQuery');
        await walker.press('Enter');
        await walker.type(query);
        await walker.press('Enter');
        await walker.click(page.getByRole('button', { name: 'Run Query' }));
        await walker.click(failedIn(page).getByRole('button', { name: 'Show' }));
        await walker.click(page.getByText(/request handler$/).first());
        await errorMessage(page);
      });
    }
  } finally {
    await shop.stop();
    await zipkin.stop();
  }
}

function failedIn(page: Page): Locator {
  return page.getByRole('row', { name: /post \/checkout/ }).first();
}

/** Waits until the page shows the error message, the only detail of the failure that Zipkin shows. */
async function errorMessage(page: Page): Promise<void> {
  await page
    .getByText(/reading 'rate'/)
    .first()
    .waitFor();
}

async function hasFocus(what: Locator): Promise<boolean> {
  return what.evaluate((element) => element === document.activeElement);
}

async function walk(
  name: string,
  begin: () => Promise<Opened>,
  way: (walker: Walker) => Promise<void>,
): Promise<void> {
  const { page, close } = await begin();
  try {
    const walker = new Walker(page);
    await way(walker);
    measured.set(name, [...(measured.get(name) ?? []), walker.arrived()]);
  } catch (error) {
    throw new Error(`${name}: the walk did not arrive`, { cause: error });
  } finally {
    await close();
  }
}

function figures(): Figure[] {
  return [...measured].flatMap(([name, walks]) => [
    figure(
      `${name}: clicks`,
      '',
      walks.map(({ clicks }) => clicks),
    ),
    figure(
      `${name}: keys`,
      '',
      walks.map(({ keys }) => keys),
    ),
    figure(
      `${name}: scrolls`,
      '',
      walks.map(({ scrolls }) => scrolls),
    ),
    figure(
      `${name}: waiting for screens`,
      's',
      walks.map(({ screens }) => screens),
    ),
    figure(
      `${name}: hands at work, as reckoned`,
      's',
      walks.map(({ hands }) => hands),
    ),
  ]);
}
