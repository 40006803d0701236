import { cpSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Parent of the data folders: the folder in memory if `npm test` has created one. TMPDIR itself stays on disk, so that the browser unpacked
 * there is reused.
 */
const PLACE = process.env.THROUGHLINE_E2E_FOLDERS ?? tmpdir();
/** Environment variable with the folder of a server that was started and stopped once; set by the global setup. */
const TEMPLATE = 'THROUGHLINE_E2E_TEMPLATE';

/** Creates the stores that data folders are copied from. Creating stores takes seconds, copying them a fraction of a second. */
export async function makeTemplate(fill: (folder: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(PLACE, 'throughline-e2e-template-'));
  await fill(folder);
  process.env[TEMPLATE] = folder;
}

export async function removeTemplate(): Promise<void> {
  const folder = process.env[TEMPLATE];
  if (folder !== undefined) await rm(folder, { recursive: true, force: true });
}

/** Creates a new data folder with empty stores. */
export async function newDataFolder(): Promise<string> {
  const folder = await mkdtemp(join(PLACE, 'throughline-e2e-'));
  const template = process.env[TEMPLATE];
  // Copies synchronously, because the asynchronous copy takes four times the CPU time.
  if (template !== undefined) cpSync(template, folder, { recursive: true });
  return folder;
}
