import { readFileSync, realpathSync } from 'node:fs';
import { join } from 'node:path';

/** A parsed package.json. Any field can have any type. */
export type Manifest = Readonly<Record<string, unknown>>;

/** Reads a folder's package.json. Returns undefined if the file is missing, cannot be read or contains no JSON object. */
export function readManifest(folder: string): Manifest | undefined {
  try {
    const parsed: unknown = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    return typeof parsed === 'object' && parsed !== null ? { ...parsed } : undefined;
  } catch {
    return undefined;
  }
}

/** Resolves symbolic links. Returns `path` itself if that fails, for example because it does not exist. */
export function resolveRealPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
