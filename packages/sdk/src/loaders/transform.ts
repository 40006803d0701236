import { extname } from 'node:path';
import { type InstrumentResult, instrument } from '../instrument/instrument.ts';
import type { ModuleKind, SourceLanguage } from '../instrument/parser.ts';
import type { InstrumentedSite } from '../record/open-step.ts';

export interface TransformOptions {
  readonly root: string;
  isOwn(file: string): boolean;
  /** Sets aside ids for so many sites, in a row, and returns the first. */
  reserveSites(count: number): number;
  addSites(first: number, sites: readonly InstrumentedSite[]): void;
  withMap(): boolean;
  report(line: string): void;
}

export type Format = 'module' | 'commonjs' | 'module-typescript' | 'commonjs-typescript' | 'undecided';

/** Instruments what the loaders hand over, or gives it back as it is. Never throws. */
export class Transform {
  private readonly options: TransformOptions;
  private readonly told = new Set<string>();

  constructor(options: TransformOptions) {
    this.options = options;
  }

  isOwn(file: string): boolean {
    return this.options.isOwn(file);
  }

  private instrument(
    source: string,
    file: string,
    language: SourceLanguage,
    format: Format,
  ): InstrumentResult {
    const as = (moduleKind: ModuleKind): InstrumentResult =>
      instrument(source, {
        file,
        root: this.options.root,
        moduleKind,
        language,
        reserveSites: (count) => this.options.reserveSites(count),
        withMap: this.options.withMap(),
      });
    if (format.startsWith('module')) return as('module');
    const result = as('commonjs');
    return format === 'undecided' && 'skipped' in result ? as('module') : result;
  }

  /** The code to run in place of `source`. */
  apply(source: string, file: string, format: Format): string {
    if (source.includes('__tl_.enter(')) return source;
    const language = languageOf(file, format);
    const result = this.instrument(source, file, language, format);
    if ('skipped' in result) {
      if (!this.told.has(file)) {
        this.told.add(file);
        this.options.report(`${file} is not traced: ${result.skipped}`);
      }
      return source;
    }
    this.options.addSites(result.firstSite, result.sites);
    return result.code;
  }
}

/** By the time a loader that compiles is through, a TypeScript file is JavaScript: the format tells. */
function languageOf(file: string, format: Format): SourceLanguage {
  const mayBeTypeScript = format === 'undecided' && /^\.[cm]?ts$/.test(extname(file));
  if (mayBeTypeScript || format.endsWith('-typescript')) return 'ts';
  return extname(file) === '.jsx' ? 'jsx' : 'js';
}
