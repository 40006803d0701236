/// <reference lib="dom" />
/** A page of the real Chromium that says how long it was busy. */
import { existsSync } from 'node:fs';
import { type Browser, type BrowserContext, type CDPSession, chromium, type Page } from '@playwright/test';

/** Chromium as npm installed it. The package brings the libraries that a bare machine lacks, but unpacks them only where it believes to be on AWS. */
export async function launchChromium(): Promise<Browser> {
  process.env.AWS_EXECUTION_ENV ??= 'AWS_Lambda_nodejs24.x';
  const { default: bundled } = await import('@sparticuz/chromium');
  const executablePath = process.env.CHROMIUM_PATH ?? (await bundled.executablePath());
  return chromium.launch({
    executablePath,
    args: ['--no-sandbox', '--disable-gpu', '--enable-precise-memory-info'],
  });
}

/** @throws Error that says what to run, where the dashboard's page was not built: without it, every wait would last to its end. */
export function checkBuilt(indexPage: URL): void {
  if (!existsSync(indexPage)) throw new Error('The dashboard is not built: run `npm run build` first.');
}

/** The page's measurements since the last read. Milliseconds. */
export interface Busy {
  /** The longest that its thread did not answer. */
  readonly longestTaskMs: number;
  /** The longest from one frame to the next. */
  readonly longestFrameMs: number;
}

export interface MeasuredPage {
  readonly page: Page;
  /** Since the last call, or since it was opened. */
  busy(): Promise<Busy>;
  /** JavaScript's heap after a collection, bytes. */
  heapBytes(): Promise<number>;
  close(): Promise<void>;
}

interface Watch {
  longestTaskMs: number;
  longestFrameMs: number;
  before: number;
}

/** Runs in the page from its very start. */
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

/** A page of a fresh profile, signed in with a session's token. */
export async function openPage(browser: Browser, url: string, token: string): Promise<MeasuredPage> {
  const context: BrowserContext = await browser.newContext({
    baseURL: url,
    viewport: { width: 1440, height: 900 },
    reducedMotion: 'reduce',
  });
  await context.addInitScript((kept) => localStorage.setItem('auth_token', kept), token);
  await context.addInitScript(watch);
  const page = await context.newPage();
  const inspector: CDPSession = await context.newCDPSession(page);
  return {
    page,
    async busy() {
      // A task is reported some time after it ended.
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

/** From now until something is shown and its frame was drawn, as the page's own clock has it. Milliseconds. */
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

/** When something was shown, counted from the page's start. Milliseconds. Rejects where that takes longer than `withinMs`. */
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
