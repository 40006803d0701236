/** A text for a column that lists and filters show: of a longer one its beginning, and without halves of surrogate pairs. */
export function cutText(text: string, maxCharacters: number): string {
  return (text.length > maxCharacters ? `${text.slice(0, maxCharacters - 1)}…` : text).toWellFormed();
}
