export function calibrate(levels, offset) {
  return levels.map((level) => level + offset);
}

export function energyMean(levels) {
  const energy = levels.reduce((sum, level) => sum + 10 ** (level / 10), 0) / levels.length;
  return Math.round(10 * Math.log10(energy) * 10) / 10;
}

export function percentile(levels, share) {
  const sorted = [...levels].sort();
  const rank = Math.ceil(share * sorted.length);
  return sorted[rank - 1];
}

export function loudest(levels) {
  return Math.max(...levels);
}
