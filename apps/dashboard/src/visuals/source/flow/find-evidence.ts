import type { CapturedValue, Step } from '@throughline/contract';
import { classifyValue } from '@throughline/contract/captured';
import { countNames, type Declared, listDeclared } from './bindings.ts';
import type { Call } from './call.ts';
import type { Code } from './code-tokens.ts';
import type { Evidence } from './find-reached.ts';
import { findThrown } from './find-thrown.ts';
import type { Owners } from './owners.ts';
import { type Statement, type StatementList, walkStatements } from './statement.ts';

/** The SDK captures at most 200 variables of a call. With fewer variables than `MAX_COMPLETE`, no variable is missing. */
const MAX_COMPLETE = 100;

/** Collects what a call's step and its child steps show about the statements of the function. */
export function findEvidence(call: Call, code: Code, body: StatementList, owners: Owners): Evidence {
  const { step, children, source } = call;
  const declared = listDeclared(code, body);
  const captured = readLocals(step);
  const bound = declared
    .filter(({ name }) => isDefined(captured?.get(name)))
    .map(({ statement }) => statement);
  const incomplete = captured === undefined ? new Set<Statement>() : listIncomplete(code, declared, captured);
  const thrown = findThrown(call, code, body, owners, incomplete);
  const isComplete = step.variables?.capturedAt !== undefined;
  return {
    end: step.error !== null ? 'threw' : isComplete ? 'returned' : undefined,
    ran: new Set([...bound, ...listCalled(code, body, children), ...thrown.ran]),
    incomplete,
    thrown: thrown.statement,
    isHeadThrown: thrown.isHeadThrown,
    hasResult: !isMade(source.text) && isDefined(step.variables?.returnValue ?? step.outputs),
  };
}

/** True for a function that can be called with `new`: the result can then be the new object, not the value of a return statement. */
function isMade(text: string): boolean {
  return /^(?:constructor\b|(?:export\s+)?(?:default\s+)?function\b)/.test(text) && /\bthis\b/.test(text);
}

/** Reads the captured variables by name. Undefined if none, or not all, of the variables were captured. */
function readLocals({ variables }: Step): ReadonlyMap<string, CapturedValue> | undefined {
  const shape = variables?.localVariables === undefined ? undefined : classifyValue(variables.localVariables);
  if (shape?.kind !== 'object') return undefined;
  const locals = new Map(Object.entries(shape.properties));
  return locals.size < MAX_COMPLETE ? locals : undefined;
}

function isDefined(value: CapturedValue | undefined): boolean {
  // `undefined` does not show that a declaration ran: compilers write `var` for `const`, and a `var` is undefined before its declaration.
  return value !== undefined && JSON.stringify(value) !== '{"$type":"undefined"}';
}

/**
 * Lists the declarations that did not complete. Their names have no captured value, and the SDK captures every variable that has a value.
 */
function listIncomplete(
  { tokens }: Code,
  declared: readonly Declared[],
  captured: ReadonlyMap<string, CapturedValue>,
): ReadonlySet<Statement> {
  const names = countNames(tokens);
  const keys = new Set([...captured.keys()].map((key) => key.replace(/@\d+$/, '')));
  // A captured name that the code lacks shows that a compiler renamed variables. A declared name can then have its value under another
  // name.
  if ([...keys].some((key) => !names.has(key))) return new Set();
  // Bundlers remove variables that are read once or have a literal value. A captured variable that is read once shows that none was
  // removed.
  const keepsAll = declared.some(({ name, isLiteral, reads }) => keys.has(name) && reads === 1 && !isLiteral);
  return new Set(
    declared
      .filter(({ name, isLiteral, reads }) => !keys.has(name) && (keepsAll || (reads > 1 && !isLiteral)))
      .map(({ statement }) => statement),
  );
}

/**
 * Names of JavaScript's built-in methods, such as `push`. A call of such a name can be a call of the built-in method, not of a step's
 * function.
 */
const BUILT_IN: ReadonlySet<string> = new Set(
  [Array, Map, Set, String, Promise, Object, Number, Function, Date, RegExp].flatMap((kind) => [
    ...Object.getOwnPropertyNames(kind.prototype),
    ...Object.getOwnPropertyNames(kind),
  ]),
);

/** Finds statements that ran because of a child step: if the code calls the step's function at a single place, the statement there ran. */
function listCalled({ tokens }: Code, body: StatementList, children: readonly Step[]): Statement[] {
  const counted = countNames(tokens);
  const called = new Set(children.map(({ functionName }) => functionName?.split('.').at(-1) ?? ''));
  const calls = tokens.flatMap(({ kind, text }, at) => {
    const isCall = kind === 'name' && /^(?:\(|\?\.)$/.test(tokens[at + 1]?.text ?? '');
    return isCall && called.has(text) && counted.get(text) === 1 && !BUILT_IN.has(text) ? [at] : [];
  });
  if (calls.length === 0) return [];
  // The innermost of the statements that contain the call comes last.
  const all = [...walkStatements(body)];
  return calls.flatMap((at) => all.findLast(({ from, to }) => from <= at && at < to) ?? []);
}
