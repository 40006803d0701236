/** Rules for source code that can be checked by reading text, one function per rule. Each function returns a line for each violation. */
export interface SourceFile {
  /** Path relative to the root, with `/`. */
  readonly path: string;
  readonly text: string;
}

const SQL =
  /\b(SELECT\s[\s\S]{1,400}?\sFROM|INSERT\s+INTO|UPDATE\s+\w+\s+SET|DELETE\s+FROM|CREATE\s+TABLE|ALTER\s+TABLE)\b/;

const isTest = (path: string): boolean => /\.test\.tsx?$/.test(path) || path.startsWith('packages/testkit/');

/** SQL is only allowed in a feature's store.ts, in files named `...-store.ts`, and in the platform's stores. */
export function findSqlOutsideStores(file: SourceFile): string[] {
  if (!file.path.startsWith('apps/server/src/') || isTest(file.path)) return [];
  if (/\/(store|[a-z-]+-store)\.ts$/.test(file.path) || /\/platform\/(control|trace)-store\//.test(file.path))
    return [];
  const code = file.text.replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '');
  return SQL.test(code) ? [`${file.path}: SQL outside a store`] : [];
}

/** The server reads its settings only in platform/config. */
export function findEnvOutsideConfig(file: SourceFile): string[] {
  if (!file.path.startsWith('apps/server/src/') || isTest(file.path)) return [];
  if (/^apps\/server\/src\/platform\/config(\.ts|\/)/.test(file.path)) return [];
  return /\bprocess\s*\.\s*env\b/.test(file.text)
    ? [`${file.path}: process.env outside platform/config`]
    : [];
}

const VAGUE = /(^|\/)(utils?|helpers?|common|misc|manager|shared)(\/|\.tsx?$|-)/;

/** A file name must describe the file's content. */
export function findVagueName(file: SourceFile): string[] {
  return VAGUE.test(file.path) ? [`${file.path}: a name that says nothing`] : [];
}

/** Marks for unfinished code, and disabled checks, are not allowed. */
export function findUnfinished(file: SourceFile): string[] {
  const marks = /\b(TODO|FIXME|XXX|HACK)\b|\b(it|test|describe)\.(only|todo)\b|@ts-(ignore|nocheck)\b/g;
  return [...file.text.matchAll(marks)].map((found) => `${file.path}: ${found[0]}`);
}

/** Captured values are displayed as text. Nothing is inserted as HTML. */
export function findHtmlFromText(file: SourceFile): string[] {
  if (!file.path.startsWith('apps/dashboard/src/')) return [];
  return /dangerouslySetInnerHTML|\.innerHTML\s*=|insertAdjacentHTML|document\.write/.test(file.text)
    ? [`${file.path}: text rendered as HTML`]
    : [];
}

/**
 * Scripts must be loaded through `lazyPart` (parts of pages) or `loadPage` (pages), which show a message if a script arrives late or not
 * at all.
 */
export function findUnwatchedLoads(file: SourceFile): string[] {
  if (!file.path.startsWith('apps/dashboard/src/') || file.path === 'apps/dashboard/src/shell/load-page.ts')
    return [];
  return /\blazy\(|\blazyRouteComponent\(\s*\(\)\s*=>\s*import\(/.test(file.text)
    ? [`${file.path}: a script that nobody waits for`]
    : [];
}

/**
 * Two clicks on a button must send a change only once. Changes therefore use `useAction`, or a `useMutation` with a queue (`scope`), in
 * which each change waits for the previous one.
 */
export function findUnguardedChanges(file: SourceFile): string[] {
  if (!file.path.startsWith('apps/dashboard/src/') || file.path === 'apps/dashboard/src/shell/use-action.ts')
    return [];
  const changes = file.text.match(/\buseMutation\(/g)?.length ?? 0;
  const queues = file.text.match(/\bscope: \{ id:/g)?.length ?? 0;
  return changes > queues ? [`${file.path}: a change that two clicks send twice`] : [];
}

export const SOURCE_RULES = [
  findSqlOutsideStores,
  findEnvOutsideConfig,
  findVagueName,
  findUnfinished,
  findHtmlFromText,
  findUnwatchedLoads,
  findUnguardedChanges,
] as const;

export const LONG_FILE_LINES = 250;
export const MAX_FILE_LINES = 400;

export function countLines(file: SourceFile): number {
  return file.text.split('\n').length - 1;
}
