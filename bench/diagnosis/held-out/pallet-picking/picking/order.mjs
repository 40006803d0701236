/** First expired, first out. */
export function oldestFirst(pallets) {
  return [...pallets].sort((a, b) => a.bestBefore > b.bestBefore);
}
