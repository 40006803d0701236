import { cpSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Where data folders are made: in memory, where `npm test` has such a folder. The browser itself stays in the temp folder, where it is kept. */
const PLACE = process.env.THROUGHLINE_E2E_FOLDERS ?? tmpdir();
/** Where the folder of a server that was started once and stopped lies; set by the global setup. */
const TEMPLATE = 'THROUGHLINE_E2E_TEMPLATE';

/** Makes the stores that data folders are copied from: that takes seconds, copying them a fraction of one. */
export async function makeTemplate(fill: (folder: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(PLACE, 'throughline-e2e-template-'));
  await fill(folder);
  process.env[TEMPLATE] = folder;
}

export async function removeTemplate(): Promise<void> {
  const folder = process.env[TEMPLATE];
  if (folder !== undefined) await rm(folder, { recursive: true, force: true });
}

/** A data folder of its own with empty stores. */
export async function newDataFolder(): Promise<string> {
  const folder = await mkdtemp(join(PLACE, 'throughline-e2e-'));
  const template = process.env[TEMPLATE];
  // At once: the asynchronous copy takes four times the processor's time.
  if (template !== undefined) cpSync(template, folder, { recursive: true });
  return folder;
}
