import { readFileSync } from 'node:fs';
import { dirname, extname, join } from 'node:path';
import type { Format } from '../loaders/transform.ts';

type ModuleType = 'module' | 'commonjs' | undefined;

/** Tells what Node would take a file for, by its name and the `type` in the nearest package.json. Each package.json is read once. */
export function formatReader(): (file: string) => Format {
  const types = new Map<string, ModuleType>();
  const typeOf = (folder: string): ModuleType => {
    if (types.has(folder)) return types.get(folder);
    const parent = dirname(folder);
    const manifest = readManifest(folder);
    const type = manifest === undefined && parent !== folder ? typeOf(parent) : typeIn(manifest);
    types.set(folder, type);
    return type;
  };
  return (file) => {
    const extension = extname(file);
    // These are compiled by a loader or bundler, which decides.
    if (extension === '.jsx' || extension === '.tsx') return 'undecided';
    const typescript = extension.endsWith('ts');
    const kind = extension.startsWith('.m')
      ? 'module'
      : extension.startsWith('.c')
        ? 'commonjs'
        : typeOf(dirname(file));
    if (kind === undefined) return typescript ? 'typescript' : 'undecided';
    return typescript ? `${kind}-typescript` : kind;
  };
}

function typeIn(manifest: unknown): ModuleType {
  if (typeof manifest !== 'object' || manifest === null || !('type' in manifest)) return undefined;
  return manifest.type === 'module' || manifest.type === 'commonjs' ? manifest.type : undefined;
}

/** Undefined where there is none that can be read. */
function readManifest(folder: string): unknown {
  try {
    return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  } catch {
    return undefined;
  }
}
