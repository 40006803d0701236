import { spawnSync } from 'node:child_process';
import { findChromium } from '../browser/browser.ts';
import { makeTemplate, removeTemplate } from './data-folder.ts';
import { pinnedNode, pinnedPath, root } from './places.ts';
import { fillDataFolder } from './product.ts';

/** Builds what is missing, unpacks the browser, and creates the stores with which every test starts. Returns the cleanup function. */
// biome-ignore lint/style/noDefaultExport: Playwright takes a default export
export default async function globalSetup(): Promise<() => Promise<void>> {
  const built = spawnSync(pinnedNode, ['scripts/build.mjs'], {
    cwd: root,
    env: { ...process.env, PATH: pinnedPath },
    stdio: 'inherit',
  });
  if (built.status !== 0) throw new Error('the build failed');
  await findChromium();
  await makeTemplate(fillDataFolder);
  return removeTemplate;
}
