/** Takes the questions in an order that differs between rounds. */
export function drawQuestions(pool, count) {
  const available = pool.length;
  if (available < count) {
    throw new RangeError(`cannot draw ${count} questions from ${available}`);
  }
  const drawn = [];
  while (drawn.length < count) {
    const index = (drawn.length * 5 + count) % pool.length;
    drawn.push(...pool.splice(index, 1));
  }
  return drawn;
}
