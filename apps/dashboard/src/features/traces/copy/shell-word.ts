import { INVISIBLE } from '@throughline/contract/captured';

/** A part of a shell word: a literal string, or a variable that the user sets. */
export type Piece = { readonly text: string } | { readonly variable: string };

/** The reason why a value is a variable. */
type Why = 'REDACTED' | 'MISSING';

/** The redaction mark within a longer string. */
export const REDACTED_TEXT = '‹redacted›';

/**
 * Returns a POSIX shell word. The shell expands the variables, but no part of the literals. If a variable is not set or is empty, the
 * command stops with an error that names the variable.
 */
export function writeShellWord(pieces: readonly Piece[]): string {
  const parts = joinLiterals(pieces).flatMap((piece) => {
    if ('variable' in piece) return [`"\${${piece.variable}:?}"`];
    return piece.text === '' ? [] : [quote(piece.text)];
  });
  return parts.length === 0 ? "''" : parts.join('');
}

/** Merges neighbouring literals, so that they share a pair of quotes. */
function joinLiterals(pieces: readonly Piece[]): Piece[] {
  const out: Piece[] = [];
  for (const piece of pieces) {
    const last = out.at(-1);
    if (last !== undefined && 'text' in last && 'text' in piece) {
      out[out.length - 1] = { text: last.text + piece.text };
    } else out.push(piece);
  }
  return out;
}

function quote(text: string): string {
  // A program's argument cannot contain NUL.
  const held = text.replaceAll('\0', '');
  if (held.search(INVISIBLE) >= 0) return quoteEscaped(held);
  return /^[\w@%+=:,./-]+$/.test(held) ? held : `'${held.replaceAll("'", "'\\''")}'`;
}

/**
 * Returns the `$'…'` form, for strings with characters that a terminal interprets, such as line ends, escape sequences and changes of
 * writing direction. A line feed becomes `\n`. Of any other such character, each UTF-8 byte becomes three octal digits; the same is done to
 * single quotes and to `!`, which some shells expand even inside `$'…'`.
 */
function quoteEscaped(text: string): string {
  const escaped = text
    .replaceAll('\\', '\\\\')
    .replace(/['!]/g, escapeOctal)
    .replace(INVISIBLE, (character) => (character === '\n' ? '\\n' : escapeOctal(character)));
  return `$'${escaped}'`;
}

function escapeOctal(character: string): string {
  const bytes = new TextEncoder().encode(character);
  return Array.from(bytes, (byte) => `\\${byte.toString(8).padStart(3, '0')}`).join('');
}

/** Splits a string at each redacted secret, which becomes a variable. `nameVariable` receives the preceding text. */
export function splitAtRedacted(text: string, nameVariable: (before: string) => string): Piece[] {
  const parts = text.split(REDACTED_TEXT);
  return parts.flatMap((part, index): Piece[] =>
    index === 0 ? [{ text: part }] : [{ variable: nameVariable(parts[index - 1] ?? '') }, { text: part }],
  );
}

/**
 * Returns a function that creates unique variable names: `REDACTED_X_API_KEY`, `REDACTED_X_API_KEY_2`. The prefix keeps the names
 * different from the shell's own variables (`PATH`, `HOST`), whose values must not be sent.
 */
export function createNamer(): (why: Why, what: string) => string {
  const given = new Set<string>();
  return (why, what) => {
    const word = what
      .replace(/([a-z])([A-Z])/g, '$1_$2')
      .toUpperCase()
      .replace(/[^A-Z0-9]+/g, '_')
      .replace(/^_+|_+$/g, '')
      .slice(0, 40);
    const base = `${why}_${word === '' ? 'VALUE' : word}`;
    let name = base;
    for (let number = 2; given.has(name); number += 1) name = `${base}_${number}`;
    given.add(name);
    return name;
  };
}
