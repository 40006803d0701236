import vm from 'node:vm';
import type { Analysis } from './analyze/analysis.ts';
import type { Edits } from './emit/edits.ts';
import { maskModuleSyntax } from './module-syntax.ts';
import { loadFullParser } from './parsers/load-parser.ts';
import { isTooDeep } from './parsers/nesting.ts';
import type { ModuleKind, SourceLanguage } from './parsers/parser.ts';

/**
 * Returns why the rewritten source does not compile; null if it compiles. V8 checks JavaScript: it is the engine that runs the code, and
 * reads 30 MB of source per second, twice as much as a parser. A parser checks TypeScript, JSX, and sources that V8 cannot compile even
 * before they are rewritten.
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
    // If the original source does not compile either, it contains syntax that this check does not support.
    if (problem === null || findProblem(masked ?? source) === null) return problem;
  }
  if (isTooDeep(code)) return 'it is nested too deeply for the parser';
  return loadFullParser().findError(code, language, moduleKind);
}

const compileCommonJs = (code: string): string | null =>
  compile(`function _(exports,require,module,__filename,__dirname){${code.replace(/^#!/, '//')}\n}`);

/** V8 compiles modules only in a loader. So the statements are compiled as the body of an async function, in which `await` is allowed. */
const compileModule = (masked: string): string | null =>
  compile(`async function _(){'use strict';${masked}\n}`);

/**
 * Returns the syntax error of a script; null if there is none. Checking is fast, since V8 generates no code for a function that is only
 * declared.
 */
function compile(script: string): string | null {
  try {
    new vm.Script(script);
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : 'unknown';
  }
}
