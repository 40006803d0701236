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

/** Returns the source in a load hook as a string; null if Node has not read it. */
export function sourceText(source: LoadFnOutput['source']): string | null {
  if (typeof source === 'string') return source;
  if (source === undefined || source === null) return null;
  return utf8.decode(source);
}

/** Guesses whether a source of unknown format is an ES module. The fast check is correct for nearly all sources. */
export function hasModuleSyntax(source: string): boolean {
  return /^[ \t]*(?:import|export)\b/m.test(source);
}

/** Converts Node's name for a source's format; null for a file that is not code. */
export function toFormat(format: unknown): Format | null {
  switch (format) {
    case 'module':
    case 'commonjs':
    case 'module-typescript':
    case 'commonjs-typescript':
    case 'typescript':
      return format;
    // Required from a package without a `type`: Node checks the source itself.
    case undefined:
    case null:
      return 'undecided';
    default:
      return null;
  }
}
