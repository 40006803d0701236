import { expect, it } from 'vitest';
import { formatPace } from './format-pace.ts';

it.each([
  [1234.5, '1,235 / min'],
  [12.34, '12.3 / min'],
  [1, '1.0 / min'],
  [0.5, '30.0 / h'],
  [0.01, '14.4 / d'],
  [0.0005, '0.7 / d'],
  [0.00001, '< 0.1 / d'],
])('%d requests per minute are formatted as %s', (perMinute, text) => {
  expect(formatPace(perMinute)).toBe(text);
});
