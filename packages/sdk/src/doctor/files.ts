import { readdirSync, readFileSync } from 'node:fs';
import { extname, join, relative, sep } from 'node:path';
import { buildOwnCodeTest, type OwnCodeOptions } from '../loaders/own-code.ts';
import { Transform } from '../loaders/transform.ts';
import type { FileFindings } from './findings.ts';
import { formatReader } from './format.ts';

const maxFiles = 20_000;

export interface OwnFile {
  readonly path: string;
  readonly text: string;
}

/**
 * Runs the instrumenter over the host's own source files, and reports the outcome for each file. Files that the options `include` and
 * `exclude` leave out are reported as skipped. Calls `see` with each file. Runs none of the host's code.
 */
export function examineFiles(
  options: OwnCodeOptions & { readonly accessors: boolean },
  see: (file: OwnFile) => void,
): FileFindings {
  const isChosen = buildOwnCodeTest(options);
  const readFormat = formatReader();
  const isOwn = buildOwnCodeTest({ root: options.root, include: [], exclude: [] });
  const transform = new Transform({
    root: options.root,
    isOwn: isChosen,
    accessors: options.accessors,
    runtime: null,
    withMap: () => false,
    report: () => {},
  });
  const traced: FileFindings['traced'][number][] = [];
  const skipped: FileFindings['skipped'][number][] = [];
  let seen = 0;
  for (const file of walkSourceFiles(options.root)) {
    if (seen >= maxFiles) return { traced, skipped, cut: true };
    const path = relative(options.root, file).replaceAll(sep, '/');
    const chosen = isChosen(file);
    if (!chosen && !isOwn(file)) continue;
    const text = readSource(file);
    if (text === null) continue;
    seen++;
    see({ path, text });
    if (!chosen) {
      skipped.push({ path, reason: describeExclusion(options) });
      continue;
    }
    const result = transform.examine(text, file, readFormat(file));
    if ('skipped' in result) skipped.push({ path, reason: result.skipped });
    else traced.push({ path, functions: result.sites.length, left: result.left });
  }
  return { traced, skipped, cut: false };
}

function describeExclusion({ include, exclude }: OwnCodeOptions): string {
  if (include.length === 0) return 'it is excluded by the option exclude';
  return exclude.length === 0
    ? 'it is not included by the option include'
    : 'it is not included by the options include and exclude';
}

/** Yields the files below a folder, sorted by name within each folder. Skips declaration files (`.d.ts`), libraries and hidden folders. */
function* walkSourceFiles(folder: string): Generator<string> {
  const folders: string[] = [];
  for (const entry of listEntries(folder)) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) {
      if (entry.name !== 'node_modules' && !entry.name.startsWith('.')) folders.push(path);
    } else if (entry.isFile() && !/\.d\.[cm]?ts$/.test(entry.name)) yield path;
  }
  for (const inner of folders) yield* walkSourceFiles(inner);
}

function listEntries(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch {
    // A folder without read permission contains nothing that could be loaded.
    return [];
  }
}

/** Returns null for files that cannot be read, and for files without an extension that are not Node scripts. */
function readSource(file: string): string | null {
  try {
    const text = readFileSync(file, 'utf8');
    return extname(file) !== '' || /^#!.*\bnode\b/.test(text) ? text : null;
  } catch {
    return null;
  }
}
