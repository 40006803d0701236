import { expect, test } from 'vitest';
import { describeAlert } from './alert-rules.ts';

test.each([
  [400, 'P95 above 400 ms for 5 min'],
  [1500, 'P95 above 1.50 s for 5 min'],
])('a rule about the P95 states %d ms like the durations on all screens', (threshold, text) => {
  expect(describeAlert({ kind: 'p95', threshold, minutes: 5, severity: null })).toBe(text);
});
