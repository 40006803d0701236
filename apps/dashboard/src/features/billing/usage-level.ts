import { UNLIMITED } from '@throughline/contract';

/** Returns the used share of a limit in percent; 0 for an unlimited plan. */
export function computePercent({ used, limit }: { readonly used: number; readonly limit: number }): number {
  if (limit === UNLIMITED) return 0;
  return limit === 0 ? 100 : (used / limit) * 100;
}

/** Returns the colour of a usage bar: green, amber when the limit is near, red when it is reached. */
export function fillTone(percent: number): 'green' | 'amber' | 'red' {
  if (percent >= 100) return 'red';
  return percent >= 80 ? 'amber' : 'green';
}
