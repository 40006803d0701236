/** Finds the word that a misspelled word most likely means. Returns undefined if no word is similar enough. */
export function findNearestWord(typed: string, words: readonly string[]): string | undefined {
  const wanted = typed.toLowerCase();
  const [best] = words
    .map((word) => ({ word, distance: measureDistance(wanted, word.toLowerCase()) }))
    .filter(({ word, distance }) => distance <= Math.min(2, Math.floor(word.length / 2)))
    .sort((one, other) => one.distance - other.distance);
  return best?.word;
}

/** Counts the edits between two words: letters to add, remove, replace, or swap with a neighbour. */
function measureDistance(one: string, other: string): number {
  let beforeLast: readonly number[] = [];
  let last: readonly number[] = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (let row = 1; row <= one.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= other.length; column += 1) {
      const same = one[row - 1] === other[column - 1];
      const swapped =
        row > 1 && column > 1 && one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1];
      current.push(
        Math.min(
          (last[column] ?? 0) + 1,
          (current[column - 1] ?? 0) + 1,
          (last[column - 1] ?? 0) + (same ? 0 : 1),
          swapped ? (beforeLast[column - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
        ),
      );
    }
    beforeLast = last;
    last = current;
  }
  return last[other.length] ?? 0;
}
