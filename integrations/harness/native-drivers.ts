import { existsSync } from 'node:fs';
import { join } from 'node:path';

const CACHE = join(import.meta.dirname, '..', '..', '.cache', 'native-drivers', 'node_modules');
const BINARIES: Readonly<Record<string, string>> = {
  'better-sqlite3': 'build/Release/better_sqlite3.node',
  sqlite3: 'build/Release/node_sqlite3.node',
};

/**
 * Returns the folder of a driver with native code; undefined if the driver was not compiled. Installing such a driver
 * downloads or compiles a binary, so it is not a dependency: `npm run test:long -- --only=native-drivers` compiles it
 * for the pinned Node.
 */
export function nativeDriver(name: string): string | undefined {
  const folder = join(CACHE, name);
  const binary = BINARIES[name];
  // The binaries are compiled only for the pinned Node.
  if (process.env.INTEGRATIONS_NODE !== undefined || binary === undefined) return undefined;
  return existsSync(join(folder, binary)) ? folder : undefined;
}
