/** Shortens a string for a column that lists and filters show, and replaces lone surrogates. */
export function cutText(text: string, maxCharacters: number): string {
  return (text.length > maxCharacters ? `${text.slice(0, maxCharacters - 1)}…` : text).toWellFormed();
}
