import { createRequire } from 'node:module';

interface LateModules {
  'node:child_process': typeof import('node:child_process');
  'node:crypto': typeof import('node:crypto');
  'node:https': typeof import('node:https');
  'node:v8': typeof import('node:v8');
  'node:zlib': typeof import('node:zlib');
}

const load: <Name extends keyof LateModules>(name: Name) => LateModules[Name] = createRequire(
  import.meta.url,
);
const loaded: Partial<LateModules> = {};

/**
 * Returns a Node module that a host may not need. The module is loaded at first use, because loading it at start would take 1 ms to 15 ms
 * (15 ms for `https` with its certificates).
 */
export function loadLateModule<Name extends keyof LateModules>(name: Name): LateModules[Name] {
  const known: Partial<LateModules>[Name] = loaded[name];
  if (known !== undefined) return known;
  const found = load(name);
  loaded[name] = found;
  return found;
}
