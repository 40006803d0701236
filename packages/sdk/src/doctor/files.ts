import { readdirSync, readFileSync } from 'node:fs';
import { extname, join, relative, sep } from 'node:path';
import { type OwnCodeOptions, ownCodeTest } from '../loaders/own-code.ts';
import { Transform } from '../loaders/transform.ts';
import type { FileFindings } from './findings.ts';
import { formatReader } from './format.ts';

const maxFiles = 20_000;

/** A file of the host's own, with what stands in it. */
export interface OwnFile {
  readonly path: string;
  readonly text: string;
}

/**
 * Runs the instrumenter over each file of the project that would be the host's own code if it were loaded, and says what it would do to it.
 * Nothing of the host's is run. `see` is shown each file.
 */
export function examineFiles(
  options: OwnCodeOptions & { readonly accessors: boolean },
  see: (file: OwnFile) => void,
): FileFindings {
  const isChosen = ownCodeTest(options);
  const readFormat = formatReader();
  const isOwn = ownCodeTest({ root: options.root, include: [], exclude: [] });
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
  for (const file of sourceFiles(options.root)) {
    if (seen >= maxFiles) return { traced, skipped, cut: true };
    const path = relative(options.root, file).replaceAll(sep, '/');
    const chosen = isChosen(file);
    if (!chosen && !isOwn(file)) continue;
    const text = readSource(file);
    if (text === null) continue;
    seen++;
    see({ path, text });
    if (!chosen) {
      skipped.push({ path, reason: leftOutBy(options) });
      continue;
    }
    const result = transform.examine(text, file, readFormat(file));
    if ('skipped' in result) skipped.push({ path, reason: result.skipped });
    else traced.push({ path, functions: result.sites.length, left: result.left });
  }
  return { traced, skipped, cut: false };
}

function leftOutBy({ include, exclude }: OwnCodeOptions): string {
  if (include.length === 0) return 'the option exclude leaves it out';
  return exclude.length === 0 ? 'the option include does not name it' : 'include and exclude leave it out';
}

/** Files that Node or a compiler before it could load, by their names; libraries and hidden folders left out. */
function* sourceFiles(folder: string): Generator<string> {
  const folders: string[] = [];
  for (const entry of listEntries(folder)) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) {
      if (entry.name !== 'node_modules' && !entry.name.startsWith('.')) folders.push(path);
    } else if (entry.isFile() && !/\.d\.[cm]?ts$/.test(entry.name)) yield path;
  }
  for (const inner of folders) yield* sourceFiles(inner);
}

function listEntries(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch {
    // A folder that may not be read holds nothing that could be loaded.
    return [];
  }
}

/** Null for what cannot be read, and for files without an extension that are no Node scripts. */
function readSource(file: string): string | null {
  try {
    const text = readFileSync(file, 'utf8');
    return extname(file) !== '' || /^#!.*\bnode\b/.test(text) ? text : null;
  } catch {
    return null;
  }
}
