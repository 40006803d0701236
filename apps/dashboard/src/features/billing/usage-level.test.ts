import { expect, it } from 'vitest';
import { computePercent, fillTone } from './usage-level.ts';

it('a usage bar is green below 80 percent, amber from 80 percent on and red when full; unlimited usage counts as 0 percent', () => {
  const percents = [0, 79.9, 80, 99, 100, 105].map(fillTone);
  expect(percents).toEqual(['green', 'green', 'amber', 'amber', 'red', 'red']);
  expect(computePercent({ used: 7, limit: -1 })).toBe(0);
  expect(computePercent({ used: 3, limit: 15 })).toBe(20);
});
