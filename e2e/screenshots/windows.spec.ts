import { appendFile, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type Browser, type BrowserContext, expect, type Page, type Route, test } from '@playwright/test';
import { findControlFaults } from '../harness/browser/control-faults.ts';
import { findLayoutFaults, WINDOWS } from '../harness/browser/layout.ts';
import { ada, fillLogin } from '../harness/people/people.ts';
import { addProject, signUp } from '../harness/people/signed-up.ts';
import { type Product, startWithDemo } from '../harness/server/product.ts';
import { FOLDER } from './shoot.ts';
import { SIGNED_IN_PAGES, SIGNED_OUT_PAGES, TRACE_PAGES, type WindowPage } from './window-pages.ts';

type Session = Awaited<ReturnType<BrowserContext['storageState']>>;

let product: Product;
/** Sessions of the owner of the demo workspace, and of a user whose project has no requests. */
let owner: Session;
let newcomer: Session;

test.beforeAll(async ({ browser }) => {
  test.setTimeout(180_000);
  product = await startWithDemo();
  await mkdir(FOLDER, { recursive: true });
  const context = await browser.newContext({ baseURL: product.url });
  const page = await context.newPage();
  await page.goto('/login');
  await fillLogin(page, { email: 'owner@demo.example', password: 'throughline-demo' });
  await expect(page).toHaveURL(/\/(app|dashboard)/);
  const token = await page.evaluate(() => localStorage.getItem('auth_token'));
  const headers = { authorization: `Bearer ${token}` };
  const answer = await page.request.get('/api/projects', { headers });
  const { projects }: { projects: { id: string }[] } = await answer.json();
  await page.request.patch(`/api/projects/${projects[0]?.id}`, { headers, data: { public: true } });
  owner = await context.storageState();
  await context.close();
  const another = await browser.newContext({ baseURL: product.url });
  const empty = await another.newPage();
  await signUp(empty, ada);
  await addProject(empty, 'orders');
  newcomer = await another.storageState();
  await another.close();
});
test.afterAll(() => product.stop());

/** File with one line per layout fault: the screenshot's name and the fault. */
const FAULTS = join(FOLDER, 'windows-faults.txt');

type Size = (typeof WINDOWS)[number];

/** True for the window at 200 % zoom, which has half the width and height in pixels, each pixel twice as large. */
const isZoomed = ({ width }: Size) => width === 720;

/** Sizes in which screenshots show both themes, and every state of a page. */
const isMain = ({ width }: Size) => width === 360 || width === 1440;

const settle = (page: Page) =>
  page.evaluate(
    () =>
      new Promise<void>((resolve) =>
        requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resolve, 120))),
      ),
  );

type Ready = (page: Page) => Promise<unknown>;

const isLoaded: Ready = async (page) => {
  await expect(page.getByRole('heading').or(page.getByRole('alert')).first()).toBeVisible();
  await expect(page.locator('[aria-busy="true"]')).toHaveCount(0);
};

/** Waits until the code of the page is loaded. The page's data may still be missing. */
const isStarted: Ready = async (page) => {
  await expect(page.getByRole('main').locator('[aria-busy="true"], h1').first()).toBeVisible();
};

/** Maximum height of a screenshot. Further down, long lists only repeat similar rows. */
const MAX_HEIGHT = 2000;

/**
 * Takes screenshots of the page at each size, and records the layout faults and control faults. At the main sizes, a screenshot shows the
 * page up to `MAX_HEIGHT`; at the other sizes, it shows only what is visible in the window.
 */
async function shootAt(page: Page, name: string, sizes: readonly Size[]): Promise<void> {
  for (const size of sizes) {
    await page.setViewportSize(size);
    const whole = await page.evaluate(() => document.documentElement.scrollHeight);
    const height = Math.min(whole, MAX_HEIGHT);
    for (const colorScheme of isMain(size) ? (['light', 'dark'] as const) : (['light'] as const)) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      await settle(page);
      await page.screenshot({
        path: join(FOLDER, `windows-${name}-${size.width}-${colorScheme}.png`),
        animations: 'disabled',
        ...(isMain(size) ? { fullPage: true, clip: { x: 0, y: 0, width: size.width, height } } : {}),
      });
    }
    const faults = [...(await findLayoutFaults(page)), ...(await findControlFaults(page))];
    for (const fault of faults) await appendFile(FAULTS, `${name} ${size.width}: ${fault}\n`);
  }
}

test.describe.configure({ timeout: 300_000 });

/** Opens the page in a new window. If `zoomed`, pixels are twice as large, as at 200 % zoom. */
async function open(
  browser: Browser,
  { address }: WindowPage,
  { session, zoomed, prepare, ready }: Opening,
): Promise<Page> {
  const context = await browser.newContext({
    baseURL: product.url,
    ...(session === undefined ? {} : { storageState: session }),
    ...(zoomed ? { deviceScaleFactor: 2 } : {}),
    viewport: zoomed ? { width: 720, height: 450 } : { width: 360, height: 740 },
  });
  const page = await context.newPage();
  if (typeof address === 'function') await page.goto('/api/health/live');
  const path = typeof address === 'string' ? address : await address(page);
  await prepare?.(page);
  await page.goto(path);
  await ready(page);
  return page;
}

interface Opening {
  readonly session: Session | undefined;
  readonly zoomed: boolean;
  readonly ready: Ready;
  readonly prepare?: (page: Page) => Promise<unknown>;
}

const withSession = SIGNED_IN_PAGES.concat(TRACE_PAGES);

for (const each of [...SIGNED_OUT_PAGES, ...withSession]) {
  test(`screenshots show ${each.name} in every window`, async ({ browser }) => {
    const session = withSession.includes(each) ? owner : undefined;
    for (const zoomed of [false, true]) {
      const page = await open(browser, each, { session, zoomed, ready: isLoaded });
      await each.show?.(page);
      await shootAt(
        page,
        each.name,
        WINDOWS.filter((size) => isZoomed(size) === zoomed),
      );
      await page.context().close();
    }
  });
}

const isData = (url: URL) => url.pathname.startsWith('/api/') && url.pathname !== '/api/auth/session';

const FAILURE = {
  status: 500,
  json: {
    error: { code: 'internal_error', message: 'An unexpected error occurred.', requestId: 'req-17' },
    message: 'An unexpected error occurred.',
  },
};

const STATES: Readonly<Record<string, { answer: (route: Route) => unknown; ready: Ready }>> = {
  loading: { answer: () => undefined, ready: isStarted },
  failing: { answer: (route) => route.fulfill(FAILURE), ready: isLoaded },
  unreachable: { answer: (route) => route.abort('connectionrefused'), ready: isLoaded },
};

for (const each of withSession) {
  test(`screenshots show ${each.name} while it loads, and after a failure`, async ({ browser }) => {
    for (const [state, { answer, ready }] of Object.entries(STATES)) {
      const page = await open(browser, each, {
        session: owner,
        zoomed: false,
        ready,
        prepare: (opened) => opened.route(isData, (route) => void answer(route)),
      });
      await shootAt(page, `${each.name}-${state}`, WINDOWS.filter(isMain));
      await page.context().close();
    }
  });
}

for (const each of SIGNED_IN_PAGES) {
  test(`screenshots show ${each.name} without data`, async ({ browser }) => {
    const page = await open(browser, each, { session: newcomer, zoomed: false, ready: isLoaded });
    await shootAt(page, `${each.name}-empty`, WINDOWS.filter(isMain));
    await page.context().close();
  });
}
