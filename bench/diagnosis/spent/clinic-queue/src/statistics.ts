/** Returns the smallest value that at least the given share of the values does not exceed. */
export function quantile(values: readonly number[], share: number): number {
  const ordered = [...values].sort();
  const index = Math.max(Math.ceil(ordered.length * share) - 1, 0);
  return ordered[index] ?? 0;
}

export function mean(values: readonly number[]): number {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
}
