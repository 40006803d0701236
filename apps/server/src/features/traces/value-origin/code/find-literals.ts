import type { CodeToken } from '@throughline/contract/redaction';

/** A value to search for in source code. */
export interface SoughtLiteral {
  readonly kind: 'text' | 'number';
  readonly text: string;
}

/** A literal that is equal to the value. */
export interface FoundLiteral {
  /** The index of the literal's token. */
  readonly at: number;
  /** How the code uses the literal. `argument`: passed to a call. `bound`: a result, or a part of an object, list or variable. */
  readonly use: 'bound' | 'argument';
}

const COMPARING = new Set(
  '=== !== == != < > <= >= case in instanceof import from throw typeof as satisfies extends + - * / % ** & | ^ << >> >>>'.split(
    ' ',
  ),
);
/** Methods that only compare their argument with a value, or use the argument as a key, and do not pass the argument on. */
const COMPARING_METHODS = new Set(
  'includes indexOf lastIndexOf startsWith endsWith has get delete test match equals is localeCompare split join'.split(
    ' ',
  ),
);
/** Words after which a parenthesis does not begin the arguments of a call. */
const NO_CALL = new Set('if while for switch return await yield typeof void in of new case'.split(' '));
const LITERALS: ReadonlySet<CodeToken['type']> = new Set([
  'StringLiteral',
  'NoSubstitutionTemplate',
  'NumericLiteral',
]);

/**
 * Finds the literals in source code that are equal to a value and can be its origin. Leaves out literals that are compared, used as keys,
 * or calculated with.
 */
export function findLiterals(tokens: readonly CodeToken[], sought: SoughtLiteral): FoundLiteral[] {
  const found: FoundLiteral[] = [];
  for (const [index, token] of tokens.entries()) {
    if (!LITERALS.has(token.type)) continue;
    const isNegative = tokens[index - 1]?.value === '-' && !isOperand(tokens[index - 2]);
    if (!isEqual(token, sought, isNegative)) continue;
    const use = findUse(tokens, isNegative ? index - 1 : index, index);
    if (use !== undefined) found.push({ at: index, use });
  }
  return found;
}

export function isLiteral(token: CodeToken | undefined): boolean {
  return token !== undefined && LITERALS.has(token.type);
}

function isEqual({ type, value }: CodeToken, sought: SoughtLiteral, isNegative: boolean): boolean {
  if (type === 'NumericLiteral') {
    const number = Number(value.replaceAll('_', '').replace(/n$/, ''));
    return sought.kind === 'number' && (isNegative ? -number : number) === Number(sought.text);
  }
  // A literal with an escape sequence is not equal to its source text.
  return sought.kind === 'text' && !value.includes('\\') && value.slice(1, -1) === sought.text;
}

/**
 * Returns how a literal is used; undefined if it is compared, calculated with, or used as a key. `first` and `last` are its first and last
 * token.
 */
function findUse(tokens: readonly CodeToken[], first: number, last: number): FoundLiteral['use'] | undefined {
  const [before, after] = [tokens[first - 1], tokens[last + 1]];
  if (before === undefined || COMPARING.has(before.value)) return undefined;
  if (after !== undefined && COMPARING.has(after.value)) return undefined;
  if (after?.value === '=') return undefined;
  if (after?.value === ':' && (before.value === '{' || before.value === ',')) return undefined;
  const opening = findOpening(tokens, first - 1);
  if (before.value === ':' && isTypeOfParameter(tokens, opening, first)) return undefined;
  const owner = tokens[opening - 1];
  switch (tokens[opening]?.value) {
    case '[':
      return isOperand(owner) ? undefined : 'bound';
    case '(':
      if (owner === undefined || !isOperand(owner) || NO_CALL.has(owner.value)) return 'bound';
      return before.value === '=' ? 'bound' : COMPARING_METHODS.has(owner.value) ? undefined : 'argument';
    default:
      return 'bound';
  }
}

/** True for a literal after a colon within parentheses, unless it is the last part of `a ? b : c`. */
function isTypeOfParameter(tokens: readonly CodeToken[], opening: number, literal: number): boolean {
  if (tokens[opening]?.value !== '(') return false;
  const between = tokens.slice(opening, literal);
  return !between.some(({ value }, at) => value === '?' && between[at + 1]?.value !== ':');
}

/** Finds the innermost opening bracket around a token; -1 if there is none. */
function findOpening(tokens: readonly CodeToken[], from: number): number {
  let depth = 0;
  for (let at = from; at >= 0; at -= 1) {
    const value = tokens[at]?.value;
    if (value === ')' || value === ']' || value === '}') depth += 1;
    else if (value === '(' || value === '[' || value === '{') {
      if (depth === 0) return at;
      depth -= 1;
    }
  }
  return -1;
}

/**
 * True for a token that ends an operand. After such a token, an operator has two operands, a parenthesis begins a call, and a bracket
 * accesses a member.
 */
function isOperand(token: CodeToken | undefined): boolean {
  if (token === undefined || NO_CALL.has(token.value)) return false;
  return token.type === 'IdentifierName' || isLiteral(token) || token.value === ')' || token.value === ']';
}
