import { existsSync } from 'node:fs';
import { rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '../../platform/config.ts';
import { findNearestExisting, readDiskSpace } from '../../platform/disks/disk.ts';
import { findSecretFile } from '../../platform/start/secrets.ts';
import { describeLowStoreSpace } from '../../platform/start/store-space.ts';
import { isEmbedded } from '../../platform/stores.ts';
import { type Finding, found } from './finding.ts';

/** Below this free space, a server can start, but soon evicts traces. */
const LOW_BYTES = 2 * 1024 ** 3;
/** Tolerance for the clock check, because the times of files and clocks are not exact. */
const CLOCK_MS = 5_000;

/**
 * Checks that the data folder (or its nearest existing parent) is writable and has enough free space, that its last use is not in the
 * future, and that other users of the machine cannot read its secret, its stores and its outbox.
 */
export async function checkFolder(config: Config): Promise<readonly Finding[]> {
  const { dataDir } = config;
  const place = findNearestExisting(dataDir);
  const findings = [await checkWritable(dataDir, place), await checkRoom(place, config)];
  findings.push(...(await checkClock(dataDir)));
  if (config.secretKey === undefined) findings.push(await checkSecret(dataDir));
  findings.push(...(await checkPrivate(dataDir)));
  return findings;
}

async function checkWritable(dataDir: string, place: string): Promise<Finding> {
  const trial = join(place, `.throughline-doctor-${process.pid}`);
  try {
    await writeFile(trial, 'x', { flag: 'wx' });
    await rm(trial);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return found.wrong(
      'Data folder',
      `${place} is not writable (${why}): make the folder writable for the server’s user, or set another DATA_DIR`,
    );
  }
  return place === dataDir
    ? found.ok('Data folder', `${dataDir} is writable`)
    : found.note('Data folder', `${dataDir} does not exist yet; the first start creates it`);
}

async function checkRoom(place: string, config: Config): Promise<Finding> {
  const tooLow = await describeLowStoreSpace(config);
  if (tooLow !== undefined) return found.wrong('Disk', tooLow);
  const { freeBytes } = await readDiskSpace(place);
  const text = `${(freeBytes / 1e9).toFixed(1)} GB are free`;
  if (!isEmbedded(config)) return found.ok('Disk', `${text}; accounts and traces are stored elsewhere`);
  if (freeBytes < LOW_BYTES && config.clickhouse === undefined)
    return found.note('Disk', `${text}; near the limit the oldest successful traces are dropped`);
  return found.ok('Disk', text);
}

async function checkSecret(dataDir: string): Promise<Finding> {
  const file = findSecretFile(dataDir);
  if (!existsSync(file))
    return found.note('Secret', 'there is none yet; the first start creates it in the data folder');
  const { mode } = await stat(file);
  return (mode & 0o077) === 0
    ? found.ok('Secret', `${file} is readable by its owner only`)
    : found.wrong('Secret', `${file} can be read by other users of this machine: chmod 600 ${file}`);
}

/** Traces contain the data of requests, so other users of the machine must not be able to read them. */
async function checkPrivate(dataDir: string): Promise<Finding[]> {
  const open: string[] = [];
  for (const name of ['control', 'traces', 'outbox']) {
    const there = await stat(join(dataDir, name)).catch(() => undefined);
    if (there !== undefined && (there.mode & 0o077) !== 0) open.push(join(dataDir, name));
  }
  if (open.length === 0) return [];
  return [
    found.wrong(
      'Privacy',
      `other users of this machine can read ${open.join(', ')}: chmod 700 ${open.join(' ')}`,
    ),
  ];
}

/**
 * Reports a data folder whose last use is in the future: either this machine's clock is behind now, or it was ahead when the folder was
 * used last.
 */
async function checkClock(dataDir: string): Promise<Finding[]> {
  const usedAt = await stat(join(dataDir, 'lock.pid')).catch(() => undefined);
  const aheadMs = (usedAt?.mtimeMs ?? 0) - Date.now();
  if (aheadMs < CLOCK_MS) return [];
  return [
    found.wrong(
      'Clock',
      `the data folder was last used ${Math.round(aheadMs / 1000)} s from now: this machine's clock is behind, or was ahead then. Let NTP set it.`,
    ),
  ];
}
