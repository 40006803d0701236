import { expect, it } from 'vitest';
import { computeRowPx } from './row-density.ts';

const COLUMNS = [{}, { ownLine: true }, { ownLine: true }];

it.each([
  ['comfortable', false, 36],
  ['comfortable', true, 108],
  ['compact', false, 28],
  ['compact', true, 94],
] as const)('a %s row, tall: %s, is %i pixels high', (density, tall, height) => {
  expect(computeRowPx(density, tall, COLUMNS)).toBe(height);
});
