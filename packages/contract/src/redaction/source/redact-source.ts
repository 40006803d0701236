import jsTokens, { type JSXToken, type Token } from 'js-tokens';
import { REDACTED_TEXT } from '../texts/characters.ts';

/** The functions of a redactor that are needed to redact source code. */
export interface SourceRedactor {
  text(text: string): string;
  isSecretName(name: string): boolean;
}

type AnyToken = Token | JSXToken;

/** Minimum number of digits of a number that is examined as a card number. */
const MIN_CARD_DIGITS = 12;
/** Maximum number of tokens between a literal and the name that it is assigned to. */
const MAX_TOKENS_BACK = 24;
const ASSIGNING = new Set(['=', ':', '==', '===', '!=', '!==', '||', '??', '||=', '??=', '+=']);
const ENDING = new Set([';', '{', '}', '=>', 'return', 'case', 'throw', 'else', 'if', 'while', 'do']);

/** Matches source code that can contain a secret: it has a literal, a comment or a long number. */
const MAY_HOLD_SECRET = /['"`/<]|[\d_]{12}/;

/**
 * Redacts a function's source code (JavaScript, TypeScript or JSX): secrets in string literals, regular expressions, JSX texts, comments and
 * long numbers, and literals that belong to a secret's name (`password = 'x'`, `{ apiKey: 'x' }`, `set('token', 'x')`). Leaves other code
 * and the number of lines unchanged.
 */
export function redactSource(text: string, isJsx: boolean, redactor: SourceRedactor): string {
  if (!MAY_HOLD_SECRET.test(text)) return text;
  const tokens: readonly AnyToken[] = [...(isJsx ? jsTokens(text, { jsx: true }) : jsTokens(text))];
  const code = tokens.filter(({ type }) => !isBetween(type));
  let place = -1;
  let shown = '';
  for (const token of tokens) {
    if (!isBetween(token.type)) place++;
    shown += keepLines(token.value, redactToken(token, code, place, redactor));
  }
  return shown;
}

function redactToken(
  token: AnyToken,
  code: readonly AnyToken[],
  place: number,
  redactor: SourceRedactor,
): string {
  switch (token.type) {
    case 'StringLiteral':
    case 'JSXString':
    case 'NoSubstitutionTemplate':
    case 'TemplateTail':
      return redactLiteral(token.value, token.closed ? 1 : 0, code, place, redactor);
    case 'TemplateHead':
    case 'TemplateMiddle':
      return redactLiteral(token.value, 2, code, place, redactor);
    case 'NumericLiteral':
      return token.value.length >= MIN_CARD_DIGITS ? redactor.text(token.value) : token.value;
    case 'SingleLineComment':
    case 'MultiLineComment':
    case 'HashbangComment':
    case 'JSXText':
    case 'RegularExpressionLiteral':
      return redactor.text(token.value);
    default:
      return token.value;
  }
}

/** Redacts the content of a literal. Preserves its last `closing` characters, which are delimiters. */
function redactLiteral(
  literal: string,
  closing: number,
  code: readonly AnyToken[],
  place: number,
  redactor: SourceRedactor,
): string {
  const end = literal.length - closing;
  const content = literal.slice(1, end);
  if (content.trim() === '') return literal;
  const shown = isNamedSecret(code, place, redactor) ? REDACTED_TEXT : redactor.text(content);
  return shown === content ? literal : literal.slice(0, 1) + shown + literal.slice(end);
}

/** True if the literal is assigned to or compared with a secret's name, or is the argument after such a name: `set('token', 'x')`. */
function isNamedSecret(code: readonly AnyToken[], place: number, redactor: SourceRedactor): boolean {
  const before = code[place - 1];
  if (before?.value === ',') {
    const name = code[place - 2];
    return name?.type === 'StringLiteral' && redactor.isSecretName(name.value.slice(1, -1));
  }
  let isAssigned = false;
  for (let at = place - 1; at >= 0 && at >= place - MAX_TOKENS_BACK; at--) {
    const { type, value } = code[at] ?? { type: 'Invalid', value: ';' };
    if (ENDING.has(value) || value === ',' || type === 'JSXString') return false;
    if (ASSIGNING.has(value) || (type === 'JSXPunctuator' && value === '=')) isAssigned = true;
    else if (isAssigned && redactor.isSecretName(readName(code, at))) return true;
  }
  return false;
}

/**
 * Returns the name in a token: an identifier, or a string used as a key (`'api-key': …`, `headers['api-key']
 * = …`).
 */
function readName(code: readonly AnyToken[], at: number): string {
  const token = code[at];
  switch (token?.type) {
    case 'IdentifierName':
    case 'JSXIdentifier':
      return token.value;
    case 'PrivateIdentifier':
      return token.value.slice(1);
    case 'StringLiteral': {
      const next = code[at + 1]?.value;
      return next === ':' || next === ']' ? token.value.slice(1, -1) : '';
    }
    default:
      return '';
  }
}

function isBetween(type: AnyToken['type']): boolean {
  return (
    type === 'WhiteSpace' ||
    type === 'LineTerminatorSequence' ||
    type === 'SingleLineComment' ||
    type === 'MultiLineComment'
  );
}

/** Adds the line breaks that redaction removed, so that line numbers stay correct. */
function keepLines(before: string, after: string): string {
  if (before === after) return after;
  const missing = countLines(before) - countLines(after);
  return missing > 0 ? after + '\n'.repeat(missing) : after;
}

function countLines(text: string): number {
  return text.split('\n').length;
}
