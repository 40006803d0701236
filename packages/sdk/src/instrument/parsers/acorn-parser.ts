import { createRequire } from 'node:module';
import { convertEstree } from './estree.ts';
import type { FullParser, ModuleKind, SourceLanguage } from './parser.ts';

type Acorn = typeof import('acorn');

const load = createRequire(import.meta.url);
let acorn: Acorn | undefined;

/**
 * Returns the parser that is used if oxc's native parser is not installed. It reads only JavaScript and is about five times slower than a
 * native one.
 */
export function loadAcorn(): FullParser {
  return { parse, findError };
}

function parse(source: string, language: SourceLanguage, kind: ModuleKind): ReturnType<FullParser['parse']> {
  if (language !== 'js')
    return {
      error: 'no native parser is installed for this machine, and only one of those reads TypeScript and JSX',
    };
  try {
    return convertEstree(parseProgram(source, kind), source, false) ?? { error: 'no program' };
  } catch (error) {
    return { error: error instanceof Error ? error.message : 'unknown' };
  }
}

function findError(source: string, language: SourceLanguage, kind: ModuleKind): string | null {
  const parsed = parse(source, language, kind);
  return 'error' in parsed ? parsed.error : null;
}

function parseProgram(source: string, kind: ModuleKind): unknown {
  acorn ??= loadLibrary();
  return acorn.parse(source, {
    ecmaVersion: 'latest',
    sourceType: kind === 'module' ? 'module' : 'commonjs',
    allowHashBang: true,
  });
}

function loadLibrary(): Acorn {
  const found: Acorn = load('acorn');
  return found;
}
