/** The house rules that a reader of the text can check, one function each. A rule gives a line for each place that breaks it. */
export interface SourceFile {
  /** From the root, with `/`. */
  readonly path: string;
  readonly text: string;
}

const SQL =
  /\b(SELECT\s[\s\S]{1,400}?\sFROM|INSERT\s+INTO|UPDATE\s+\w+\s+SET|DELETE\s+FROM|CREATE\s+TABLE|ALTER\s+TABLE)\b/;

const isTest = (path: string): boolean => /\.test\.tsx?$/.test(path) || path.startsWith('packages/testkit/');

/** SQL stands in a feature's store.ts (or a file beside it named `…-store.ts`), or in the platform's stores. */
export function sqlOutsideStores(file: SourceFile): string[] {
  if (!file.path.startsWith('apps/server/src/') || isTest(file.path)) return [];
  if (/\/(store|[a-z-]+-store)\.ts$/.test(file.path) || /\/platform\/(control|trace)-store\//.test(file.path))
    return [];
  const code = file.text.replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '');
  return SQL.test(code) ? [`${file.path}: SQL outside a store`] : [];
}

/** The server's settings are read in platform/config only. */
export function envOutsideConfig(file: SourceFile): string[] {
  if (!file.path.startsWith('apps/server/src/') || isTest(file.path)) return [];
  if (/^apps\/server\/src\/platform\/config(\.ts|\/)/.test(file.path)) return [];
  return /\bprocess\s*\.\s*env\b/.test(file.text)
    ? [`${file.path}: process.env outside platform/config`]
    : [];
}

const VAGUE = /(^|\/)(utils?|helpers?|common|misc|manager|shared)(\/|\.tsx?$|-)/;

/** A name says what is inside. */
export function vagueName(file: SourceFile): string[] {
  return VAGUE.test(file.path) ? [`${file.path}: a name that says nothing`] : [];
}

/** Marks that say "not finished", and checks switched off. */
export function unfinished(file: SourceFile): string[] {
  const marks = /\b(TODO|FIXME|XXX|HACK)\b|\b(it|test|describe)\.(only|todo)\b|@ts-(ignore|nocheck)\b/g;
  return [...file.text.matchAll(marks)].map((found) => `${file.path}: ${found[0]}`);
}

/** Captured text is shown as text: nothing is rendered as HTML. */
export function htmlFromText(file: SourceFile): string[] {
  if (!file.path.startsWith('apps/dashboard/src/')) return [];
  return /dangerouslySetInnerHTML|\.innerHTML\s*=|insertAdjacentHTML|document\.write/.test(file.text)
    ? [`${file.path}: text rendered as HTML`]
    : [];
}

/** A script that comes late or not at all is said so by name: parts of pages are loaded by `lazyPart`, pages by `loadPage`. */
export function loadedUnwatched(file: SourceFile): string[] {
  if (!file.path.startsWith('apps/dashboard/src/') || file.path === 'apps/dashboard/src/shell/load-page.ts')
    return [];
  return /\blazy\(|\blazyRouteComponent\(\s*\(\)\s*=>\s*import\(/.test(file.text)
    ? [`${file.path}: a script that nobody waits for`]
    : [];
}

/** Two clicks on a button change something once: `useAction` sees to it. A change that waits for the one before names its queue (`scope`). */
export function unguardedChange(file: SourceFile): string[] {
  if (!file.path.startsWith('apps/dashboard/src/') || file.path === 'apps/dashboard/src/shell/use-action.ts')
    return [];
  const changes = file.text.match(/\buseMutation\(/g)?.length ?? 0;
  const queues = file.text.match(/\bscope: \{ id:/g)?.length ?? 0;
  return changes > queues ? [`${file.path}: a change that two clicks send twice`] : [];
}

export const SOURCE_RULES = [
  sqlOutsideStores,
  envOutsideConfig,
  vagueName,
  unfinished,
  htmlFromText,
  loadedUnwatched,
  unguardedChange,
] as const;

export const LONG_FILE_LINES = 250;
export const MAX_FILE_LINES = 400;

export function lineCount(file: SourceFile): number {
  return file.text.split('\n').length - 1;
}
