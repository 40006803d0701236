import type { LoadFnOutput } from 'node:module';
import { fileURLToPath } from 'node:url';
import type { Format } from './transform.ts';

const utf8 = new TextDecoder();

/** Returns the path of a `file:` URL without its query; null for other URLs. */
export function toFilePath(url: string): string | null {
  try {
    return fileURLToPath(url);
  } catch {
    return null;
  }
}

/** Returns the source that a load hook received, converted to a string. Returns null if Node has not read the source. */
export function readSourceText(source: LoadFnOutput['source']): string | null {
  if (typeof source === 'string') return source;
  if (source === undefined || source === null) return null;
  return utf8.decode(source);
}

/** Guesses whether a source of unknown format is an ES module. The fast check is correct for nearly all sources. */
export function hasModuleSyntax(source: string): boolean {
  return /^[ \t]*(?:import|export)\b/m.test(source);
}

/** Converts Node's name for a source's format. Returns null if the file is not code. */
export function toFormat(format: unknown): Format | null {
  switch (format) {
    case 'module':
    case 'commonjs':
    case 'module-typescript':
    case 'commonjs-typescript':
    case 'typescript':
      return format;
    // A file required from a package without a `type`: Node determines the format from the source.
    case undefined:
    case null:
      return 'undecided';
    default:
      return null;
  }
}
