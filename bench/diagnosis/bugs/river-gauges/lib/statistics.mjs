function ordered(values) {
  return [...values].sort();
}

export function median(values) {
  const sorted = ordered(values);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

export function warningLevel(level, flood) {
  if (level >= flood) return 'red';
  return level >= flood * 0.8 ? 'yellow' : 'none';
}
