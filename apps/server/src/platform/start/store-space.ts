import type { Config } from '../config.ts';
import { describeLowSpace } from '../disks/disk.ts';
import { isEmbedded } from '../stores.ts';

/**
 * Returns a message about too little space on the disk of the data folder, with a remedy. Returns undefined if there is enough space, or if
 * no store is in the folder: external stores do not need the local disk.
 */
export async function describeLowStoreSpace(
  config: Pick<Config, 'dataDir' | 'databaseUrl' | 'clickhouse'>,
): Promise<string | undefined> {
  return isEmbedded(config) ? describeLowSpace(config.dataDir) : undefined;
}
