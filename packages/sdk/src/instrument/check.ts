import vm from 'node:vm';
import type { Analysis } from './analyze/analysis.ts';
import { isTooDeep } from './analyze/nesting.ts';
import type { Edits } from './emit/edits.ts';
import { maskModuleSyntax } from './module-syntax.ts';
import { loadFullParser, type ModuleKind, type SourceLanguage } from './parsers/parser.ts';

/**
 * Why the rewritten source would not compile; null where it does. V8 reads 30 MB of source a second, twice as much as a parser, and is the one
 * to run it. Where V8 cannot tell, a parser does: it knows TypeScript and JSX.
 */
export function findBreakage(
  analysis: Analysis,
  edits: Edits,
  code: string,
  language: SourceLanguage,
  moduleKind: ModuleKind,
): string | null {
  const { source } = analysis.tree;
  if (language === 'js') {
    const masked = maskModuleSyntax(analysis, moduleKind);
    const findProblem = masked === null ? compileCommonJs : compileModule;
    const problem = findProblem(masked === null ? code : edits.apply(masked));
    // A source that does not compile untouched either has something that this check does not know.
    if (problem === null || findProblem(masked ?? source) === null) return problem;
  }
  if (isTooDeep(code)) return 'it nests too deep for a parser';
  return loadFullParser().findError(code, language, moduleKind);
}

const compileCommonJs = (code: string): string | null =>
  compile(`function _(exports,require,module,__filename,__dirname){${code.replace(/^#!/, '//')}\n}`);

/** V8 compiles modules in a loader only: the statements are read as an async function's, which takes `await` too. */
const compileModule = (masked: string): string | null =>
  compile(`async function _(){'use strict';${masked}\n}`);

/** Finds the syntax error of a script; null for none. V8 makes no code of a function that is only declared. */
function compile(script: string): string | null {
  try {
    new vm.Script(script);
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : 'unknown';
  }
}
