import type { UsualDuration } from '@throughline/contract';
import { expect, test } from 'vitest';
import { inARow, type Planned, plan } from './plan-request.fixture.ts';
import { applyRules, chooseStatements } from './stands-out.ts';

const USUAL: UsualDuration = { requests: 8, quartile: 40, median: 50, quicker: 8 };

function choose(ms: number, steps: readonly Planned[], usual = USUAL, failed = false) {
  return chooseStatements([...applyRules(plan(ms, steps, { usual }))].flat(), { failed });
}

/** Plans `count` calls of `findSeat`, each of which calls `runQuery` once. */
function planItems(count: number, call: Partial<Planned> = {}): Planned[] {
  return Array.from({ length: count }, (_, at) => at * 10).flatMap((at) => [
    { id: `f${at}`, name: 'findSeat', type: 'function', at, ms: 9, self: 1 },
    { id: `q${at}`, parent: `f${at}`, name: 'runQuery', type: 'function', at, ms: 8, ...call },
  ]);
}

test('the page of a slow request with a repeated call opens on the first of these calls', () => {
  expect(choose(600, inARow(60, 9.9))).toMatchObject({
    statements: [{ rule: 'repeated_call' }, { rule: 'slower_than_usual' }],
    opening: 's0',
  });
});

test.each([
  ['the request is as fast as usual', choose(600, inARow(60, 9.9), { ...USUAL, median: 500 })],
  ['the request failed', choose(600, inARow(60, 9.9), USUAL, true)],
  [
    'the usual duration is unknown, and the request took less than 500 ms',
    choose(400, inARow(40, 9.9), { ...USUAL, requests: 2 }),
  ],
])(
  'the repeated call of a request does not decide on which step the request opens if %s',
  (_, { opening }) => {
    expect(opening).toBeNull();
  },
);

test.each([
  [
    'also has another caller',
    planItems(40),
    [{ parent: 'handler', name: 'runQuery', type: 'function', at: 410, ms: 5 }],
  ],
  ['received a function', planItems(40, { inputs: { run: { $type: 'function', name: 'select' } } }), []],
] as const)(
  'repeated calls of a function that %s are described with the function that made the calls',
  (_, items, more) => {
    const { statements, opening } = choose(600, [...items, ...more]);
    expect(statements[0]?.text).toMatch(/^`runQuery` ran 4[01] times, called by `findSeat`: /);
    expect(opening).toBe('f0');
  },
);

test('repeated calls of a function with only one caller are described without this caller', () => {
  const { statements, opening } = choose(600, planItems(40));
  expect(statements[0]?.text).toMatch(/^`runQuery` ran 40 times: /);
  expect(opening).toBe('q0');
});

test('if one of the repeated calls took most of the time, the page of a slow request opens on this call, and the sentence names the duration of this call', () => {
  const calls = inARow(60, 2, { type: 'function', name: 'loadItem' });
  const { statements, opening } = choose(
    600,
    calls.map((call, at) => (at === 41 ? { ...call, ms: 400 } : call)),
  );
  expect(statements[0]).toMatchObject({
    text: '`loadItem` ran 60 times: 518 ms, 86 % of the request; one call took 400 ms',
    stepId: 's41',
  });
  expect(opening).toBe('s41');
});

test('if one of the repeated calls is slow and the called function is general, the page of the request opens on the caller of the slow call', () => {
  const items = planItems(40, { inputs: { run: { $type: 'function', name: 'select' } } });
  const { opening } = choose(
    1200,
    items.map((step) => (step.id === 'q120' ? { ...step, ms: 600, self: 600 } : step)),
  );
  expect(opening).toBe('f120');
});
