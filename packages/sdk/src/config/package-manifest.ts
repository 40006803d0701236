import { readFileSync, realpathSync } from 'node:fs';
import { join } from 'node:path';

/** A parsed package.json; any field may hold anything. */
export type Manifest = Readonly<Record<string, unknown>>;

/** Undefined where there is none that can be read. */
export function readManifest(folder: string): Manifest | undefined {
  try {
    const parsed: unknown = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    return typeof parsed === 'object' && parsed !== null ? { ...parsed } : undefined;
  } catch {
    return undefined;
  }
}

/** Where links lead; the path itself where there is nothing. */
export function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
