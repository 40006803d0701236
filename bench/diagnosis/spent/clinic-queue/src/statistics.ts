/** The smallest value that is not exceeded by at least a share of the values. */
export function quantile(values: readonly number[], share: number): number {
  const ordered = [...values].sort();
  const index = Math.max(Math.ceil(ordered.length * share) - 1, 0);
  return ordered[index] ?? 0;
}

export function mean(values: readonly number[]): number {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
}
