import { createRequire } from 'node:module';
import { type AstNode, isNode } from './ast.ts';

type Oxc = typeof import('oxc-parser');

export type SourceLanguage = 'js' | 'jsx' | 'ts' | 'tsx';
export type ModuleKind = 'module' | 'commonjs';

export interface Parser {
  /** The program, or what is wrong with the source. */
  parse(source: string, language: SourceLanguage, kind: ModuleKind): AstNode | { readonly error: string };
}

let loaded: Parser | { readonly missing: string } | undefined;

/** The native parser, or why it cannot be had on this machine. Loaded when first asked for. */
export function loadParser(): Parser | { readonly missing: string } {
  loaded ??= load();
  return loaded;
}

function load(): Parser | { readonly missing: string } {
  try {
    const found: unknown = createRequire(import.meta.url)('oxc-parser');
    if (!isOxc(found)) return { missing: 'oxc-parser is not the one expected' };
    // A first parse finds out whether its native part works here.
    const parser = parserOf(found);
    const probe = parser.parse('1', 'js', 'module');
    return 'error' in probe ? { missing: `${probe.error}` } : parser;
  } catch (error) {
    return { missing: error instanceof Error ? (error.message.split('\n', 1)[0] ?? '') : 'unknown' };
  }
}

function isOxc(found: unknown): found is Oxc {
  return typeof found === 'object' && found !== null && 'parseSync' in found;
}

function parserOf({ parseSync }: Oxc): Parser {
  return {
    parse(source, language, kind) {
      const result = parseSync(`source.${language}`, source, {
        lang: language,
        sourceType: kind,
        astType: language === 'ts' || language === 'tsx' ? 'ts' : 'js',
      });
      const problem = result.errors.find(({ severity }) => severity === 'Error');
      if (problem !== undefined) return { error: problem.message };
      const program: unknown = result.program;
      return isNode(program) && typeof program.start === 'number' && isAstNode(program)
        ? program
        : { error: 'no program' };
    },
  };
}

function isAstNode(node: { readonly type: string }): node is AstNode {
  return 'start' in node && 'end' in node;
}
