/// <reference lib="dom" />
/** Opens pages in real Chromium and measures how long they were busy. */
import { existsSync } from 'node:fs';
import { type Browser, type BrowserContext, type CDPSession, chromium, type Page } from '@playwright/test';

/**
 * Starts Chromium: the program at CHROMIUM_PATH, or else the one that npm installed. The npm package contains the libraries that are
 * missing on a minimal machine, but unpacks them only if it detects AWS.
 */
export async function launchChromium(): Promise<Browser> {
  process.env.AWS_EXECUTION_ENV ??= 'AWS_Lambda_nodejs24.x';
  const { default: bundled } = await import('@sparticuz/chromium');
  const executablePath = process.env.CHROMIUM_PATH ?? (await bundled.executablePath());
  return chromium.launch({
    executablePath,
    args: ['--no-sandbox', '--disable-gpu', '--enable-precise-memory-info'],
  });
}

const INDEX_PAGE = new URL('../../apps/dashboard/dist/index.html', import.meta.url);

/**
 * Checks that the dashboard is built. Otherwise every wait would last until its timeout.
 * @throws Error with the build command, if the dashboard is not built
 */
export function checkBuilt(indexPage: URL = INDEX_PAGE): void {
  if (!existsSync(indexPage)) throw new Error('The dashboard is not built: run `npm run build` first.');
}

/** Measurements of the page since they were last read, in milliseconds. */
export interface Busy {
  /** Longest time that the page's main thread was blocked. */
  readonly longestTaskMs: number;
  /** Longest time between two frames. */
  readonly longestFrameMs: number;
}

export interface MeasuredPage {
  readonly page: Page;
  /** Returns the measurements since the last call, or since the page was opened. */
  busy(): Promise<Busy>;
  /** JavaScript heap size after a garbage collection, in bytes. */
  heapBytes(): Promise<number>;
  close(): Promise<void>;
}

interface Watch {
  longestTaskMs: number;
  longestFrameMs: number;
  before: number;
}

/** Measures the page. This function runs in the page before all of its scripts. */
function watch(): void {
  const seen: Watch = { longestTaskMs: 0, longestFrameMs: 0, before: performance.now() };
  Object.assign(globalThis, { benchWatch: seen });
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) seen.longestTaskMs = Math.max(seen.longestTaskMs, duration);
  }).observe({ type: 'longtask', buffered: true });
  const frame = (at: number) => {
    seen.longestFrameMs = Math.max(seen.longestFrameMs, at - seen.before);
    seen.before = at;
    requestAnimationFrame(frame);
  };
  requestAnimationFrame(frame);
}

/** Opens a page in a fresh profile, signed in with the given session token. */
export async function openPage(browser: Browser, url: string, token: string): Promise<MeasuredPage> {
  const context: BrowserContext = await browser.newContext({
    baseURL: url,
    viewport: { width: 1440, height: 900 },
    reducedMotion: 'reduce',
  });
  await context.addInitScript((value) => localStorage.setItem('auth_token', value), token);
  await context.addInitScript(watch);
  const page = await context.newPage();
  const inspector: CDPSession = await context.newCDPSession(page);
  return {
    page,
    async busy() {
      // The browser reports a task some time after the task ended.
      await page.waitForTimeout(150);
      return page.evaluate(() => {
        const { benchWatch: seen }: { benchWatch?: Watch } = globalThis as { benchWatch?: Watch };
        if (seen === undefined) throw new Error('the page does not watch itself');
        const { longestTaskMs, longestFrameMs } = seen;
        Object.assign(seen, { longestTaskMs: 0, longestFrameMs: 0, before: performance.now() });
        return { longestTaskMs, longestFrameMs };
      });
    },
    async heapBytes() {
      await inspector.send('HeapProfiler.collectGarbage');
      await inspector.send('HeapProfiler.collectGarbage');
      return (await inspector.send('Runtime.getHeapUsage')).usedSize;
    },
    close: () => context.close(),
  };
}

/**
 * Calls `begin`, and returns the milliseconds from the call until an element is shown and the frame with it is drawn, by the page's clock.
 */
export async function untilShown(
  page: Page,
  selector: string,
  begin: () => Promise<unknown>,
): Promise<number> {
  const started = await page.evaluate(() => performance.now());
  await begin();
  return (await shownAt(page, selector)) - started;
}

const SHOWN_WITHIN_MS = 120_000;

/** Returns the milliseconds from the page's start until an element was shown. Rejects if that takes longer than `withinMs`. */
export async function shownAt(
  page: Page,
  selector: string,
  withinMs: number = SHOWN_WITHIN_MS,
): Promise<number> {
  const at = await page.evaluate(
    ([wanted, most]) =>
      new Promise<number | null>((resolve) => {
        const until = performance.now() + most;
        const look = () => {
          if (document.querySelector(wanted) !== null) {
            requestAnimationFrame(() => resolve(performance.now()));
          } else if (performance.now() > until) resolve(null);
          else requestAnimationFrame(look);
        };
        look();
      }),
    [selector, withinMs] as const,
  );
  if (at !== null) return at;
  throw new Error(`${selector} was not shown within ${withinMs / 1000} s on ${page.url()}`);
}
