import type { LoadFnOutput } from 'node:module';
import { fileURLToPath } from 'node:url';
import type { Format } from './transform.ts';

const utf8 = new TextDecoder();

/** The path of a `file:` URL, its query left out; null where it has none. */
export function toFilePath(url: string): string | null {
  try {
    return fileURLToPath(url);
  } catch {
    return null;
  }
}

/** The source in a load hook, as text; null if Node has not read it. */
export function sourceText(source: LoadFnOutput['source']): string | null {
  if (typeof source === 'string') return source;
  if (source === undefined || source === null) return null;
  return utf8.decode(source);
}

/** A quick look, where nobody says what a source is: right for nearly all of them. */
export function hasModuleSyntax(source: string): boolean {
  return /^[ \t]*(?:import|export)\b/m.test(source);
}

/** Node's format of a source; null for a file that is no code. */
export function toFormat(format: unknown): Format | null {
  switch (format) {
    case 'module':
    case 'commonjs':
    case 'module-typescript':
    case 'commonjs-typescript':
    case 'typescript':
      return format;
    // Required from a package that does not say: Node looks at the source itself.
    case undefined:
    case null:
      return 'undecided';
    default:
      return null;
  }
}
