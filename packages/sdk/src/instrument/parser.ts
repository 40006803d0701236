import { createRequire } from 'node:module';
import { treeOfEstree } from './estree.ts';
import { loadRollupParser } from './rollup-parser.ts';
import type { Tree } from './tree.ts';

type Oxc = typeof import('oxc-parser');

export type SourceLanguage = 'js' | 'jsx' | 'ts' | 'tsx';
export type ModuleKind = 'module' | 'commonjs';

export interface FullParser extends Parser {
  /** What keeps the source from compiling, names declared twice included; null where nothing does. */
  findError(source: string, language: SourceLanguage, kind: ModuleKind): string | null;
}

export interface Parser {
  /** The program, or what is wrong with the source. */
  parse(source: string, language: SourceLanguage, kind: ModuleKind): Tree | { readonly error: string };
}

let loaded: Parser | { readonly missing: string } | undefined;

/**
 * What parses, or why that cannot be had on this machine. Rollup's native parser reads JavaScript many times faster than oxc's, which is there
 * for TypeScript and for all that the other one does not take.
 */
export function loadParser(): Parser | { readonly missing: string } {
  loaded ??= load();
  return loaded;
}

function load(): Parser | { readonly missing: string } {
  const rollup = loadRollupParser();
  // Loading the other takes 7 to 13 ms, and most hosts never need it.
  if (rollup === undefined) {
    const slow = loadOxc();
    if ('missing' in slow) return slow;
  }
  return {
    parse(source, language, kind) {
      const isJavaScript = language === 'js' || language === 'jsx';
      const tree = isJavaScript ? rollup?.parse(source, language === 'jsx') : undefined;
      if (tree !== undefined) return tree;
      const slow = loadOxc();
      return 'missing' in slow ? { error: slow.missing } : slow.parse(source, language, kind);
    },
  };
}

let imported: unknown;

/** Gets the slower parser where Node cannot require it, since it is an ES module (before 20.19 and 22.12): who may meet TypeScript there waits for this. Never throws. */
export async function importOxc(): Promise<void> {
  try {
    imported ??= await import('oxc-parser');
  } catch {
    // What is missing is said when it is wanted.
  }
}

let oxc: FullParser | { readonly missing: string } | undefined;

/** The slower parser alone. */
export function loadOxc(): FullParser | { readonly missing: string } {
  // What is missing may have been imported since.
  if (oxc === undefined || 'missing' in oxc) oxc = findOxc();
  return oxc;
}

function findOxc(): FullParser | { readonly missing: string } {
  try {
    const found: unknown = imported ?? createRequire(import.meta.url)('oxc-parser');
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

function parserOf({ parseSync }: Oxc): FullParser {
  return {
    findError(source, language, kind) {
      const { errors } = parseSync(`source.${language}`, source, {
        lang: language,
        sourceType: kind,
        showSemanticErrors: true,
      });
      return errors.find(({ severity }) => severity === 'Error')?.message ?? null;
    },

    parse(source, language, kind) {
      const isTypeScript = language === 'ts' || language === 'tsx';
      const result = parseSync(`source.${language}`, source, {
        lang: language,
        sourceType: kind,
        astType: isTypeScript ? 'ts' : 'js',
      });
      const problem = result.errors.find(({ severity }) => severity === 'Error');
      if (problem !== undefined) return { error: problem.message };
      return treeOfEstree(result.program, source, isTypeScript) ?? { error: 'no program' };
    },
  };
}
