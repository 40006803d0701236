import { defineConfig } from '@playwright/test';
import { browserOptions } from './harness/browser/browser.ts';

/** Tests that are started first. They take minutes, so if one of them started last, the other workers would be idle. */
const LONGEST = /(accessibility|analytics|extreme-traces|widths)\.spec\.ts$/;

/** Four tests run concurrently. They mostly wait for their browser and server, so four keep two cores busy. */
export default defineConfig({
  testDir: 'tests',
  globalSetup: './harness/server/global-setup.ts',
  outputDir: '../test-results/e2e',
  fullyParallel: true,
  workers: 4,
  timeout: 120_000,
  expect: { timeout: 20_000 },
  forbidOnly: true,
  // Repeats a failed test once, because a shared machine sometimes stops for seconds. The report lists tests that passed only in the
  // repetition.
  retries: 1,
  // `npm run test:long` runs the tests that take too long for `npm test`.
  grep: process.env.BROWSER_TESTS === 'long' ? /@long|windows of every width/ : /^(?!.*@long)/,
  reporter: 'list',
  use: browserOptions,
  projects: [
    { name: 'longest', testMatch: LONGEST },
    { name: 'others', testIgnore: LONGEST },
  ],
});
