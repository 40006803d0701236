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
 * A module of Node's own that a host may do without: loaded when it is first asked for, since at start each takes from one to (`https`, with its
 * certificates) fifteen milliseconds.
 */
export function lateModule<Name extends keyof LateModules>(name: Name): LateModules[Name] {
  const known: Partial<LateModules>[Name] = loaded[name];
  if (known !== undefined) return known;
  const found = load(name);
  loaded[name] = found;
  return found;
}
