import { extname } from 'node:path';
import type { SourceMapInput } from '@jridgewell/trace-mapping';
import { type Instrumented, type InstrumentResult, instrument } from '../instrument/instrument.ts';
import type { ModuleKind, SourceLanguage } from '../instrument/parsers/parser.ts';
import { entryCall } from '../internal/runtime-name.ts';
import { formatPathBelow } from '../project/path-below.ts';
import type { FrameRuntime } from '../record/frame.ts';
import type { InstrumentationCache } from './cache/instrumentation-cache.ts';

export interface TransformOptions {
  readonly root: string;
  isOwn(file: string): boolean;
  /** Reserves ids and registers sites; null if the code runs elsewhere and registers its own sites. */
  readonly runtime: Pick<FrameRuntime, 'reserveSites' | 'addSites'> | null;
  withMap(): boolean;
  readonly accessors?: boolean;
  /** The cache of code that earlier processes of the host instrumented. */
  readonly cache?: InstrumentationCache | undefined;
  /** Called for each file of at least {@link MIN_LARGE_LENGTH} characters that is loaded. */
  onLarge?(file: string): void;
  report(line: string): void;
}

/**
 * Minimum length of a source that is passed to `onLarge`. A shorter source is never too large to be read as a whole, and its source map
 * rarely is.
 */
const MIN_LARGE_LENGTH = 1024 * 1024;

export type Format =
  | 'module'
  | 'commonjs'
  | 'module-typescript'
  | 'commonjs-typescript'
  /** Node inspects the source itself to distinguish a module from CommonJS. */
  | 'typescript'
  | 'undecided';

/** Instruments the code that the loaders pass in, or returns it unchanged. Never throws. */
export class Transform {
  private readonly options: TransformOptions;
  private readonly reported = new Set<string>();

  constructor(options: TransformOptions) {
    this.options = options;
  }

  isOwn(file: string): boolean {
    return this.options.isOwn(file);
  }

  /** Returns the code to run in place of `source`; `source` itself if it must stay unchanged or if instrumenting fails. */
  apply(source: string, file: string, format: Format): string {
    const code = this.guarded(file, () => {
      if (source.length >= MIN_LARGE_LENGTH) this.options.onLarge?.(file);
      return this.findOrInstrument(source, file, format);
    });
    return code ?? source;
  }

  private guarded<T>(file: string, work: () => T): T | null {
    try {
      return work();
    } catch (error) {
      this.tell(file, `instrumenting failed: ${error instanceof Error ? error.message : typeof error}`);
      return null;
    }
  }

  private findOrInstrument(source: string, file: string, format: Format): string {
    const { cache, root, runtime } = this.options;
    // If a source names a source map, that map can change while the source does not, so the instrumented code of the source is not cached.
    if (cache === undefined || this.options.withMap() || source.includes('sourceMappingURL='))
      return this.instrument(source, file, format)?.code ?? source;
    const key = `${format} ${formatPathBelow(root, file)}`;
    const known = cache.find(key, source);
    if (known !== undefined) {
      runtime?.addSites(known.firstSite, known.sites, file, known.insertions);
      return known.code;
    }
    const made = this.instrument(source, file, format);
    if (made === null) return source;
    cache.keep(key, source, made);
    return made.code;
  }

  /**
   * Instruments a source. Returns null if the source must stay unchanged or if instrumenting fails. `authorsMap` is the source map from
   * this source to the author's, if known.
   */
  instrument(source: string, file: string, format: Format, authorsMap?: SourceMapInput): Instrumented | null {
    return this.guarded(file, () => {
      if (source.includes(entryCall)) return null;
      const result = this.examine(source, file, format, authorsMap);
      if ('skipped' in result) {
        this.tell(file, result.skipped);
        return null;
      }
      this.options.runtime?.addSites(result.firstSite, result.sites, file, result.insertions);
      return result;
    });
  }

  /**
   * Returns the result of instrumenting a source, or the reason why the source would stay unchanged. Reserves ids for the source's sites,
   * but neither registers the sites nor reports anything.
   */
  examine(source: string, file: string, format: Format, authorsMap?: SourceMapInput): InstrumentResult {
    if (source.includes(entryCall)) return { skipped: 'it is instrumented already' };
    const { runtime } = this.options;
    const as = (language: SourceLanguage, moduleKind: ModuleKind): InstrumentResult =>
      instrument(source, {
        file,
        root: this.options.root,
        moduleKind,
        language,
        reserveSites: runtime && ((count) => runtime.reserveSites(count)),
        withMap: this.options.withMap(),
        withAccessors: this.options.accessors ?? false,
        authorsMap,
      });
    const [first, ...others] = listReadings(file, format);
    let result = as(...first);
    for (const reading of others) if ('skipped' in result) result = as(...reading);
    return result;
  }

  private tell(file: string, reason: string): void {
    if (this.reported.has(file)) return;
    this.reported.add(file);
    this.options.report(
      `${file} is not traced: ${reason}; add the file to the option exclude to skip it without this message`,
    );
  }
}

type Reading = readonly [SourceLanguage, ModuleKind];

/** Lists the languages and module kinds to try for a source, the most likely first. */
function listReadings(file: string, format: Format): [Reading, ...Reading[]] {
  const [likely, ...rarely] = listLanguages(file, format);
  const kinds: readonly [ModuleKind, ...ModuleKind[]] = format.startsWith('module')
    ? ['module']
    : format.startsWith('commonjs')
      ? ['commonjs']
      : ['commonjs', 'module'];
  const [kind, ...otherKinds] = kinds;
  return [
    [likely, kind],
    ...otherKinds.map((other): Reading => [likely, other]),
    ...rarely.flatMap((language) => kinds.map((either): Reading => [language, either])),
  ];
}

/**
 * Lists the languages to try, the most likely first. A file named `.ts` can already be JavaScript, because another loader has compiled it.
 * Only a format that Node itself determines is certain.
 */
function listLanguages(file: string, format: Format): [SourceLanguage, ...SourceLanguage[]] {
  if (format.endsWith('typescript')) return ['ts'];
  switch (extname(file)) {
    case '.ts':
    case '.mts':
    case '.cts':
      return ['js', 'ts'];
    case '.tsx':
      return ['jsx', 'tsx'];
    case '.jsx':
      return ['jsx'];
    default:
      return ['js'];
  }
}
