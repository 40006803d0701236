import { cpSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Parent of the data folders: the folder in memory if `npm test` has created one, otherwise TMPDIR. `npm test` does not move TMPDIR itself
 * into memory, because the unpacked browser is there and is used again by later runs.
 */
const PLACE = process.env.THROUGHLINE_E2E_FOLDERS ?? tmpdir();
/** Environment variable with the folder of a server that was started and stopped once. The global setup sets it. */
const TEMPLATE = 'THROUGHLINE_E2E_TEMPLATE';

/**
 * Creates a folder with empty stores, from which each new data folder is copied. Creating stores takes seconds; copying takes less than a
 * second.
 */
export async function makeTemplate(fill: (folder: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(PLACE, 'throughline-e2e-template-'));
  await fill(folder);
  process.env[TEMPLATE] = folder;
}

export async function removeTemplate(): Promise<void> {
  const folder = process.env[TEMPLATE];
  if (folder !== undefined) await rm(folder, { recursive: true, force: true });
}

/** Creates a new data folder. Copies the empty stores into it if {@link makeTemplate} has created them. */
export async function newDataFolder(): Promise<string> {
  const folder = await mkdtemp(join(PLACE, 'throughline-e2e-'));
  const template = process.env[TEMPLATE];
  // Copies synchronously, because the asynchronous copy takes four times the CPU time.
  if (template !== undefined) cpSync(template, folder, { recursive: true });
  return folder;
}
