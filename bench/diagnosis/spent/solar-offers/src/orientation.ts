const BEST_TILT = 35;
const SOUTH = 180;

/** Returns the yield of panels with this orientation, as a share of the best possible yield. */
export function orientationFactor(tilt: number, azimuth: number): number {
  const tiltLoss = 0.0001 * (tilt - BEST_TILT) ** 2;
  const turnLoss = 0.00003 * (azimuth - SOUTH) ** 2;
  return Math.max(Number((1 - tiltLoss - turnLoss).toFixed(3)), 0.3);
}
