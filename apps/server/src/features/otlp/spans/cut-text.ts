import type { Redactor } from '@throughline/contract/redaction';

/** Shortens a redacted string for a column that lists and filters show, and replaces lone surrogates. */
export function cutText(text: string, maxCharacters: number): string {
  return (text.length > maxCharacters ? `${text.slice(0, maxCharacters - 1)}…` : text).toWellFormed();
}

/**
 * Like {@link cutText}, for a string that is not redacted yet. A string that must be cut is redacted first, because a secret of which only
 * a part is left is no longer recognized. A string that fits is returned as it is, and the caller redacts it later.
 */
export function cutSecretText(text: string, maxCharacters: number, redactor: Redactor): string {
  return text.length > maxCharacters
    ? `${redactor.beginning(text, maxCharacters - 1)}…`.toWellFormed()
    : text.toWellFormed();
}
