import { PLAN_IDS, PLANS } from '@throughline/contract';
import { expect, it } from 'vitest';
import { describeLosses } from './what-ends.ts';

it('a downgrade from 90 to 21 days lists which traces are deleted, when, and that AI insights end', () => {
  expect(describeLosses('enterprise_plus', 'pro', 'From 2026-12-23 on')).toEqual([
    'From 2026-12-23 on, traces older than 21 days are hidden, and deleted a day later.',
    'AI insights end, too.',
  ]);
});

it('a change to a plan with the same or more features has no list of losses', () => {
  expect(describeLosses('solo_developer', 'starter', 'From now on')).toEqual([]);
  expect(describeLosses('pro', 'enterprise_plus', 'From now on')).toEqual([]);
});

it('every change to a plan with shorter retention lists the loss of traces', () => {
  for (const from of PLAN_IDS) {
    for (const to of PLAN_IDS) {
      const isShorter = PLANS[to].retentionHours < PLANS[from].retentionHours;
      expect(describeLosses(from, to, 'Now').some((said) => said.includes('are hidden'))).toBe(isShorter);
    }
  }
});
