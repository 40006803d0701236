import type { PlaywrightTestOptions, PlaywrightWorkerOptions } from '@playwright/test';

/** Chromium as npm installed it (found by the global setup), or the one that CHROMIUM_PATH names. */
export const browserOptions: Partial<PlaywrightTestOptions & PlaywrightWorkerOptions> = {
  browserName: 'chromium',
  launchOptions: {
    ...(process.env.CHROMIUM_PATH === undefined ? {} : { executablePath: process.env.CHROMIUM_PATH }),
    // Fewer processes and threads: two processors are shared by several browsers and servers.
    args: ['--no-sandbox', '--disable-gpu', '--in-process-gpu', '--disable-site-isolation-trials'],
  },
  viewport: { width: 1440, height: 900 },
  // Drawing animations takes a tenth of the time of all tests.
  contextOptions: { reducedMotion: 'reduce' },
  // Without a picture or the page's DOM at each moment, which would double the time that the tests take.
  trace: { mode: 'retain-on-failure', screenshots: false, snapshots: false, sources: true },
  screenshot: 'only-on-failure',
  actionTimeout: 20_000,
};

/**
 * Puts Chromium's path into the environment, which the test processes inherit. Unpacks it once, before any of them needs it: two that
 * unpack at the same time fail with ETXTBSY.
 */
export async function findChromium(): Promise<void> {
  if (process.env.CHROMIUM_PATH !== undefined) return;
  // The package brings the libraries that a bare machine lacks, but unpacks them only where it believes to be on AWS.
  process.env.AWS_EXECUTION_ENV ??= 'AWS_Lambda_nodejs24.x';
  const { default: chromium } = await import('@sparticuz/chromium');
  process.env.CHROMIUM_PATH = await chromium.executablePath();
}
