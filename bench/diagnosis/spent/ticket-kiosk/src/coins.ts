const coins = [2, 1, 0.5, 0.2, 0.1];

export function accepted(inserted: number[]): number[] {
  return inserted.filter((coin) => coins.includes(coin));
}

export function sumOf(values: number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}

/** The fewest coins that make up an amount. */
export function coinsFor(amount: number): number[] {
  let cents = Math.round(amount * 100);
  const change: number[] = [];
  for (const coin of coins) {
    const value = Math.round(coin * 100);
    for (; cents >= value; cents -= value) change.push(coin);
  }
  return change;
}
