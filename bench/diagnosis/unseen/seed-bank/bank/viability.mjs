const retestAfter = 10;

export function conditionOf({ viable_percent: percent, year }) {
  if (percent < 65) return 'regenerate';
  return percent < 85 && 2025 - year > retestAfter ? 'retest' : 'good';
}

export function summary(list) {
  const counts = { good: 0, retest: 0, regenerate: 0 };
  for (const { condition } of list) counts[condition] += 1;
  return counts;
}
