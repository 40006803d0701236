import { relative, sep } from 'node:path';
import type { InstrumentedSite } from '../record/open-step.ts';
import { analyze } from './analyze.ts';
import { emit } from './emit.ts';
import { reserved } from './injected.ts';
import { Lines } from './lines.ts';
import { loadParser, type ModuleKind, type SourceLanguage } from './parser.ts';
import { authorsPlace, inputMap, mapCommentFor } from './source-map.ts';

export interface InstrumentOptions {
  /** Absolute path of the source. */
  readonly file: string;
  /** Sites name their files relative to it. */
  readonly root: string;
  readonly moduleKind: ModuleKind;
  readonly language: SourceLanguage;
  /** Sets aside ids for so many sites, in a row, and returns the first. */
  reserveSites(count: number): number;
  /** Whether to add a source map, as a comment at the end. */
  readonly withMap: boolean;
}

export interface Instrumented {
  readonly code: string;
  readonly firstSite: number;
  readonly sites: readonly InstrumentedSite[];
  /** Functions left as they are, with their line and the reason. */
  readonly left: readonly { readonly name: string; readonly line: number; readonly reason: string }[];
}

export type InstrumentResult = Instrumented | { readonly skipped: string };

/**
 * Puts calls to the frame runtime into the functions of a source, each on the line where it belongs, changing no other character. Function
 * headers stay as they are. Never throws: a source that cannot be read is `skipped`, with the reason.
 */
export function instrument(source: string, options: InstrumentOptions): InstrumentResult {
  try {
    return instrumentOrThrow(source, options);
  } catch (error) {
    return { skipped: error instanceof Error ? error.message : 'unknown' };
  }
}

function instrumentOrThrow(source: string, options: InstrumentOptions): InstrumentResult {
  const parser = loadParser();
  if ('missing' in parser) return { skipped: parser.missing };
  if (source.includes(reserved)) return { skipped: `it uses names that begin with ${reserved}` };
  const program = parser.parse(source, options.language, options.moduleKind);
  if ('error' in program) return { skipped: `it cannot be parsed: ${program.error}` };
  const analysis = analyze(program);
  const lines = new Lines(source);
  const map = inputMap(source, options.file);
  const files = new Map<string, string>();
  const locate = (offset: number): { file: string; line: number } => {
    const { line, column } = lines.at(offset);
    const place = authorsPlace(map, options.file, line, column);
    let file = files.get(place.file);
    if (file === undefined) {
      file = relative(options.root, place.file).replaceAll(sep, '/');
      files.set(place.file, file);
    }
    return { file, line: place.line };
  };
  const traced = analysis.functions.filter(({ skipped }) => skipped === null).length;
  const firstSite = options.reserveSites(traced);
  const { edits, sites } = emit(analysis, firstSite, locate);
  const left = analysis.functions.flatMap(({ name, skipped, node }) =>
    skipped === null ? [] : [{ name, line: locate(node.start).line, reason: skipped }],
  );
  if (edits.empty) return { code: source, firstSite, sites, left };
  const code = edits.apply(source);
  const comment = options.withMap ? `\n${mapCommentFor(source, edits, options.file, map)}` : '';
  return { code: code + comment, firstSite, sites, left };
}
