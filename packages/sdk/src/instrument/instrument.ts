import { sep } from 'node:path';
import type { SourceMapInput } from '@jridgewell/trace-mapping';
import type { SourceMap } from 'magic-string';
import { runtimeName } from '../internal/runtime-name.ts';
import { InsertionWriter, NO_INSERTIONS } from '../positions/insertions.ts';
import { formatPathBelow } from '../project/path-below.ts';
import type { InstrumentedSite } from '../record/types.ts';
import type { Analysis } from './analyze/analysis.ts';
import { analyze } from './analyze/analyze.ts';
import { Deadline } from './analyze/deadline.ts';
import { findBreakage } from './check.ts';
import type { Edits } from './emit/edits.ts';
import { emit, hasSite, type Locate, listAuthorsStarts } from './emit/emit.ts';
import { skipDirectives } from './emit/emit-places.ts';
import { registerPrebuiltSites } from './emit/injected.ts';
import { namesFor } from './emit/injected-names.ts';
import { Lines } from './emit/lines.ts';
import {
  findAuthorsFunctionName,
  findAuthorsNames,
  findAuthorsPlace,
  isMarked,
  mapComment,
  mapOfEdits,
  readInputMap,
  readMap,
} from './emit/source-map.ts';
import { loadParser } from './parsers/load-parser.ts';
import { isTooDeep } from './parsers/nesting.ts';
import type { ModuleKind, SourceLanguage } from './parsers/parser.ts';
import type { Tree } from './parsers/tree.ts';

export interface InstrumentOptions {
  /** Absolute path of the source. */
  readonly file: string;
  /** Folder to which the file names of sites are relative. */
  readonly root: string;
  readonly moduleKind: ModuleKind;
  readonly language: SourceLanguage;
  /** Reserves consecutive ids for `count` sites and returns the first. Null if the code runs elsewhere and registers its own sites. */
  readonly reserveSites: ((count: number) => number) | null;
  /** True to add a source map as a comment at the end. */
  readonly withMap: boolean;
  /** True to trace getters and setters too. */
  readonly withAccessors?: boolean;
  /** Source map from this source to the author's, if known. If undefined, the map that the source names in a comment is used. */
  readonly authorsMap?: SourceMapInput | undefined;
}

export interface Instrumented {
  readonly code: string;
  readonly firstSite: number;
  readonly sites: readonly InstrumentedSite[];
  /** Positions of the inserted text, in the format of {@link InsertionWriter}. */
  readonly insertions: Uint8Array;
  /** Functions that were not instrumented, with their line and the reason. */
  readonly left: readonly { readonly name: string; readonly line: number; readonly reason: string }[];
  /** Builds the source map from the instrumented code to the source that was passed in. */
  map(): SourceMap;
}

/** Maximum length of a source. Instrumenting a bundle of 10 MB takes 1 to 5 s, which delays the host's start. */
export const MAX_SOURCE_LENGTH = 32 * 1024 * 1024;
const MAX_REWRITING_MS = 10_000;
/**
 * Maximum number of lines that are searched backwards for the last mapped position of a function, because the map may lack the closing
 * brace.
 */
const MAX_LINES_BACK = 20;

export type InstrumentResult = Instrumented | { readonly skipped: string };

/**
 * Inserts calls of the SDK's recorder into the functions of a source. Moves no line, changes no existing character, and leaves function
 * headers as they are. Never throws: a source that cannot be instrumented is `skipped`, with the reason.
 */
export function instrument(source: string, options: InstrumentOptions): InstrumentResult {
  try {
    return instrumentOrThrow(source, options);
  } catch (error) {
    return { skipped: error instanceof Error ? error.message : 'unknown' };
  }
}

function instrumentOrThrow(source: string, options: InstrumentOptions): InstrumentResult {
  if (source.length > MAX_SOURCE_LENGTH)
    return { skipped: `it is longer than ${MAX_SOURCE_LENGTH} characters` };
  if (isTooDeep(source)) return { skipped: 'it is nested too deeply for the parser' };
  const names = namesFor(source);
  if (names === undefined || source.includes(runtimeName))
    return { skipped: `it uses names that begin with ${runtimeName}` };
  const program = loadParser().parse(source, options.language, options.moduleKind);
  if ('error' in program) return { skipped: `it cannot be parsed: ${program.error}` };
  const deadline = new Deadline(MAX_REWRITING_MS);
  const { file, authorsMap } = options;
  const map = authorsMap === undefined ? readInputMap(source, file) : readMap(authorsMap, file);
  if (map !== undefined) program.authorsNames = findAuthorsNames(map, source);
  const analysis = analyze(program, names, deadline, options.withAccessors ?? false);
  const lines = new Lines(source);
  const authors = (offset: number): Place | undefined => {
    const { line, column } = lines.at(offset);
    return map === undefined ? { file, line } : findAuthorsPlace(map, file, line, column);
  };
  if (map !== undefined) {
    leaveOthersFunctions(analysis, file, (start, end) => {
      const { line, column } = lines.at(start);
      if (exportGetter.test(source.slice(start, end)) && !isMarked(map, line, column)) return undefined;
      return authors(start);
    });
  }
  const shownPaths = new Map<string, string>();
  const showPath = (path: string): string => {
    let shown = shownPaths.get(path);
    if (shown === undefined) {
      shown = formatPathBelow(options.root, path);
      shownPaths.set(path, shown);
    }
    return shown;
  };
  const locate: Locate = {
    start(...offsets) {
      const [offset = 0] = offsets;
      const place = findFirstPlace(offsets, authors) ??
        authors(nextLine(source, offset)) ?? { file, line: lines.at(offset).line };
      return { file: showPath(place.file), line: place.line };
    },
    functionName(offset) {
      const { line, column } = lines.at(offset);
      return map === undefined ? undefined : findAuthorsFunctionName(map, line, column);
    },
    lastLine(start, end) {
      // The source map may lack the closing brace, so earlier lines are tried too.
      let offset = end - 1;
      for (let look = 0; look < MAX_LINES_BACK && offset > 0; look++) {
        const place = authors(offset);
        if (place !== undefined && place.line >= start.line && showPath(place.file) === start.file)
          return place.line;
        offset = source.lastIndexOf('\n', offset - 1);
      }
      return 0;
    },
  };
  const traced = analysis.functions.filter(hasSite).length;
  const firstSite = options.reserveSites === null ? null : options.reserveSites(traced);
  const { edits, sites } = emit(analysis, firstSite, locate, deadline);
  if (firstSite === null && sites.length > 0) keepPrebuilt(sites, program, source, edits);
  const left = analysis.functions.flatMap(({ name, skipped, node }) =>
    skipped === null ? [] : [{ name, line: locate.start(program.start(node)).line, reason: skipped }],
  );
  const result = { firstSite: firstSite ?? 0, sites, left, map: () => mapOfEdits(source, edits, file) };
  if (edits.empty) return { code: source, insertions: NO_INSERTIONS, ...result };
  const writer = new InsertionWriter(result.firstSite);
  const code = edits.apply(source, (position, text) => writer.add(position, text));
  const breakage = findBreakage(analysis, edits, code, options.language, options.moduleKind);
  if (breakage !== null) return { skipped: `it would not compile once rewritten: ${breakage}` };
  const comment = options.withMap ? `\n${mapComment(result.map(), map)}` : '';
  return { code: code + comment, insertions: writer.bytes, ...result };
}

interface Place {
  readonly file: string;
  readonly line: number;
}

function findFirstPlace(
  offsets: readonly number[],
  authors: (offset: number) => Place | undefined,
): Place | undefined {
  for (const offset of offsets) {
    const place = authors(offset);
    if (place !== undefined) return place;
  }
  return undefined;
}

/**
 * Compilers export from CommonJS with getters such as `{ pay: () => pay }`. If all code is on one line, a source map gives such a getter
 * the position of the code before the getter.
 */
const exportGetter = /^(?:\(\)\s*=>\s*[\w$.]+|function\s*\(\)\s*\{\s*return [\w$.]+;?\s*\})$/;

/** Finds the first non-blank character on the line that follows the line of this offset. */
function nextLine(source: string, offset: number): number {
  const end = source.indexOf('\n', offset);
  return end < 0 ? offset : end + 1 + source.slice(end + 1, end + 200).search(/\S|$/);
}

/**
 * Skips functions that compilers added, for which the source map has no author's position. Also skips functions of bundled libraries, whose
 * position is in node_modules, unless the source itself belongs to a library. A map that contains none of the functions is ignored.
 */
function leaveOthersFunctions(
  analysis: Analysis,
  file: string,
  authors: (start: number, end: number) => Place | undefined,
): void {
  const library = `${sep}node_modules${sep}`;
  const isLibrary = file.includes(library);
  const { tree } = analysis;
  const places = analysis.functions.map((fn) =>
    findFirstPlace(listAuthorsStarts(tree, fn), (start) => authors(start, tree.end(fn.node))),
  );
  if (places.every((place) => place === undefined)) return;
  for (const [index, fn] of analysis.functions.entries()) {
    const place = places[index];
    if (place === undefined) {
      fn.skipped ??= 'it was generated by a compiler';
    } else if (!isLibrary && place.file.includes(library)) fn.skipped ??= 'it belongs to a library';
  }
}

/**
 * Inserts the code that registers the sites when the source runs. The code is put after the hashbang and the directives, without adding a
 * line.
 */
function keepPrebuilt(sites: readonly InstrumentedSite[], program: Tree, source: string, edits: Edits): void {
  const start = /^#!.*(?:\r\n|[\n\r\u2028\u2029])/.exec(source)?.[0].length ?? 0;
  const position = skipDirectives(program, 0, start);
  edits.open(position, 0, (position > start ? ';' : '') + registerPrebuiltSites(sites));
}
