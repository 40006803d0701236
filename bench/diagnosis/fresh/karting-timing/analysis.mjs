const MIN_LAP_MS = 30_000;

export function validLaps(laps) {
  return laps.every((lap) => lap.ms > MIN_LAP_MS) ? laps : laps.filter((lap) => lap.ms > MIN_LAP_MS);
}

export function podium(laps, size = 3) {
  return laps
    .sort((a, b) => a.ms - b.ms)
    .slice(0, size)
    .map(({ lap, ms }) => ({ lap, ms }));
}

export function average(laps) {
  return Math.round(laps.reduce((sum, { ms }) => sum + ms, 0) / laps.length);
}

export function spread(laps) {
  const mean = average(laps);
  const variance = laps.reduce((sum, { ms }) => sum + (ms - mean) ** 2, 0) / laps.length;
  return Math.round(Math.sqrt(variance));
}

/** The lap on which the flag fell. */
export function flagLap(laps) {
  const { lap, ms, at } = laps[laps.length - 1];
  return { lap, ms, crossedAt: new Date(at).toISOString() };
}

export function trend(laps) {
  const half = Math.floor(laps.length / 2);
  const change = average(laps.slice(-half)) - average(laps.slice(0, half));
  if (Math.abs(change) < 150) return 'steady';
  return change < 0 ? 'improving' : 'fading';
}
