import type { SourceFunction, ValueOrigin } from '@throughline/contract';
import { type CodeToken, listCodeTokens } from '@throughline/contract/redaction';
import type { CodePlace, CodeQuestion } from './code-question.ts';
import { findEnvironment } from './find-environment.ts';
import { type FoundLiteral, findLiterals, type SoughtLiteral } from './find-literals.ts';

/** Maximum number of lines with an equal literal. With more lines, it would be a guess to call the literal the value's origin. */
const MAX_LINES = 3;

type CodeOrigin = NonNullable<ValueOrigin['code']>;

interface Finding {
  readonly place: CodePlace;
  readonly name: string | undefined;
  readonly lines: readonly number[];
}

/**
 * Finds the constant or the environment variable that the source code shows as the value's origin. Returns undefined if there is none, or
 * if there are several. `sources` has the source code of each place's function, if it is known.
 */
export function findCodeOrigin(
  { subject, literal, places }: CodeQuestion,
  sources: ReadonlyMap<CodePlace, SourceFunction>,
): { readonly code: CodeOrigin; readonly sentence: string } | undefined {
  const findings: Finding[] = [];
  for (const place of places) {
    const source = sources.get(place);
    // Without the source code of all functions, another function could have the same constant.
    if (source === undefined) return undefined;
    findings.push(...searchFunction(place, source, literal));
  }
  const [found] = findings;
  if (found === undefined || findings.length > 1 || found.lines.length > MAX_LINES) return undefined;
  const { place, name, lines } = found;
  const where = `\`${place.name}\` (${place.file.split(/[/\\]/).at(-1)}:${lines.join(', ')})`;
  const code = { stepId: place.stepId, file: place.file, lines: [...lines] };
  if (name === undefined)
    return {
      code: { ...code, kind: 'constant' },
      sentence: `\`${subject}\` came from a constant in ${where}: equal to the literal in the source text`,
    };
  return {
    code: { ...code, kind: 'environment' },
    sentence: `\`${subject}\` came from the environment variable \`${name}\`, read in ${where}, as the source text shows`,
  };
}

function searchFunction(
  place: CodePlace,
  { text, line }: SourceFunction,
  literal: SoughtLiteral | undefined,
): Finding[] {
  const tokens = listCodeTokens(text, /x$/i.test(place.file));
  const { variable, role } = place;
  const toLines = (indexes: readonly number[]) => [
    ...new Set(indexes.map((at) => line + (tokens[at]?.line ?? 0))),
  ];
  const literals = literal === undefined ? [] : findLiterals(tokens, literal);
  const bound = literals.filter((found) => isPossible(found, place, tokens)).map(({ at }) => at);
  const own = bound.filter((at) => isAssignedTo(variable, at, tokens));
  const environment = variable === undefined || role === 'caller' ? [] : findEnvironment(tokens, variable);
  const names = new Set(environment.map(({ name }) => name));
  return [
    ...(bound.length > 0 ? [{ place, name: undefined, lines: toLines(own.length > 0 ? own : bound) }] : []),
    ...[...names].map((name) => ({
      place,
      name,
      lines: toLines(environment.filter((each) => each.name === name).map(({ at }) => at)),
    })),
  ];
}

/** True if a function in this role can have got the value from the literal. */
function isPossible(
  { at, use }: FoundLiteral,
  { role, variable }: CodePlace,
  tokens: readonly CodeToken[],
): boolean {
  if (role === 'caller') return true;
  // In a function that received the value, only the default of the parameter can be the origin.
  return role === 'received' ? isAssignedTo(variable, at, tokens) : use === 'bound';
}

/** Maximum number of tokens between a variable's name and its literal, such as those of its type. */
const MAX_BETWEEN = 12;
const ENDING = new Set([';', ',', '{', '}', '(', ')', '=>', 'return']);

/** True for a literal that is assigned to a variable or is the value of a property with this name. */
function isAssignedTo(variable: string | undefined, literal: number, tokens: readonly CodeToken[]): boolean {
  if (variable === undefined) return false;
  for (let at = literal - 1; at >= 0 && at >= literal - MAX_BETWEEN; at -= 1) {
    const { value = ';' } = tokens[at] ?? {};
    if (ENDING.has(value)) return false;
    if (value === variable) return true;
  }
  return false;
}
