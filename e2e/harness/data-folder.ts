import { cpSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Where the folder of a server that was started once and stopped lies; set by the global setup. */
const TEMPLATE = 'THROUGHLINE_E2E_TEMPLATE';

/** Making both stores takes seconds, copying them a fraction of one. */
export function setTemplate(folder: string): void {
  process.env[TEMPLATE] = folder;
}

export async function removeTemplate(): Promise<void> {
  const folder = process.env[TEMPLATE];
  if (folder !== undefined) await rm(folder, { recursive: true, force: true });
}

/** A data folder of its own with empty stores. */
export async function newDataFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'throughline-e2e-'));
  const template = process.env[TEMPLATE];
  // At once: the asynchronous copy takes four times the processor's time.
  if (template !== undefined) cpSync(template, folder, { recursive: true });
  return folder;
}
