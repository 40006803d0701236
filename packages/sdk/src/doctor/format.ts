import { dirname, extname } from 'node:path';
import type { Format } from '../loaders/transform.ts';
import { type Manifest, readManifest } from '../project/package-manifest.ts';

type ModuleType = 'module' | 'commonjs' | undefined;

/**
 * Returns a function that determines how Node would load a file, from the file's name and the `type` in the nearest package.json. Each
 * package.json is read once.
 */
export function formatReader(): (file: string) => Format {
  const types = new Map<string, ModuleType>();
  const findModuleType = (folder: string): ModuleType => {
    if (types.has(folder)) return types.get(folder);
    const parent = dirname(folder);
    const manifest = readManifest(folder);
    const type =
      manifest === undefined && parent !== folder ? findModuleType(parent) : readModuleType(manifest);
    types.set(folder, type);
    return type;
  };
  return (file) => {
    const extension = extname(file);
    // The loader or bundler that compiles these files decides the format.
    if (extension === '.jsx' || extension === '.tsx') return 'undecided';
    const typescript = extension.endsWith('ts');
    const kind = extension.startsWith('.m')
      ? 'module'
      : extension.startsWith('.c')
        ? 'commonjs'
        : findModuleType(dirname(file));
    if (kind === undefined) return typescript ? 'typescript' : 'undecided';
    return typescript ? `${kind}-typescript` : kind;
  };
}

function readModuleType(manifest: Manifest | undefined): ModuleType {
  return manifest?.type === 'module' || manifest?.type === 'commonjs' ? manifest.type : undefined;
}
