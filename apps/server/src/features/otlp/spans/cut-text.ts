import type { Redactor } from '@throughline/contract/redaction';

/** Shortens a redacted string for a column that lists and filters show, and replaces lone surrogates. */
export function cutText(text: string, maxCharacters: number): string {
  return (text.length > maxCharacters ? `${text.slice(0, maxCharacters - 1)}…` : text).toWellFormed();
}

/**
 * Like {@link cutText}, for a string that is redacted later. Redacts a string before it is cut, because a secret that was cut in two is no
 * longer recognized.
 */
export function cutSecretText(text: string, maxCharacters: number, redactor: Redactor): string {
  return text.length > maxCharacters
    ? `${redactor.beginning(text, maxCharacters - 1)}…`.toWellFormed()
    : text.toWellFormed();
}
