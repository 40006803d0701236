import { defineConfig } from '@playwright/test';
import { browserOptions } from './harness/browser/browser.ts';

/**
 * `npm run screenshots`: takes screenshots of every page for visual review, in both themes, wide and narrow, into test-results/screenshots.
 */
export default defineConfig({
  testDir: 'screenshots',
  globalSetup: './harness/server/global-setup.ts',
  outputDir: '../test-results/screenshots-run',
  workers: 1,
  timeout: 600_000,
  expect: { timeout: 60_000 },
  reporter: 'list',
  // On a busy machine, a screenshot of a large trace takes more than 20 s.
  use: { ...browserOptions, trace: 'off', screenshot: 'off', actionTimeout: 60_000 },
});
