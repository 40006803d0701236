import type { Step } from '@throughline/contract';
import { describe, expect, it } from 'vitest';
import { bundleRepeats, toEntry } from '../../../visuals/steps/analysis/bundle-repeats.ts';
import { aForest, aStep, ran } from '../../../visuals/steps/step.fixture.ts';
import { findOpeningEntry } from './opening-entry.ts';

type Written = readonly [id: string, parent: string | null, durationMs: number, more?: Partial<Step>];

const OWN = { filePath: 'src/app.ts', lineNumber: 1 };
const LIBRARY = { filePath: 'node_modules/body-parser/index.js', lineNumber: 1 };
const MIDDLEWARE = { stepType: 'middleware' } as const;
const HANDLER = { stepType: 'handler' } as const;

function build(flow: readonly Written[]) {
  return aForest(
    flow.map(([id, parentStepId, durationMs, more = {}], index) =>
      aStep(id, { parentStepId, ...ran(index, durationMs), ...more }),
    ),
  );
}

describe('a successful request opens on', () => {
  it.each<[string, readonly Written[], string]>([
    [
      'its handler, not on the middleware of a library before it',
      [
        ['jsonParser', null, 1, MIDDLEWARE],
        ['authenticate', null, 2, { ...MIDDLEWARE, ...OWN }],
        ['route', null, 20, { ...HANDLER, ...OWN }],
        ['load', 'route', 19, OWN],
      ],
      'route',
    ],
    [
      'the handler that did the work, if a route has several',
      [
        ['check', null, 1, { ...HANDLER, ...OWN }],
        ['route', null, 20, { ...HANDLER, ...OWN }],
      ],
      'route',
    ],
    [
      'the outermost own function if the handler belongs to a library',
      [
        ['serve', null, 30, { ...HANDLER, ...LIBRARY }],
        ['resolve', 'serve', 20, OWN],
        ['load', 'resolve', 19, OWN],
      ],
      'resolve',
    ],
    [
      'the longest own function if no handler is known',
      [
        ['parse', null, 1, OWN],
        ['work', null, 9, OWN],
      ],
      'work',
    ],
    [
      'the own middleware that responded if nothing else ran',
      [
        ['jsonParser', null, 5, { ...MIDDLEWARE, ...LIBRARY }],
        ['log', null, 9, { ...MIDDLEWARE, ...OWN }],
        ['authenticate', null, 2, { ...MIDDLEWARE, ...OWN }],
        ['findSession', 'authenticate', 1, OWN],
      ],
      'authenticate',
    ],
    [
      'the handler if no step has a file',
      [
        ['cors', null, 1, MIDDLEWARE],
        ['GET /', null, 5, HANDLER],
      ],
      'GET /',
    ],
    [
      'the longest top-level step if nothing else is known',
      [
        ['cors', null, 9, MIDDLEWARE],
        ['a', null, 1],
        ['b', null, 5],
      ],
      'b',
    ],
    ['its first step if all steps are library middleware', [['cors', null, 1, MIDDLEWARE]], 'cors'],
  ])('%s', (_, flow, key) => {
    const forest = build(flow);
    expect(findOpeningEntry({ forest, failing: undefined, slowest: undefined })?.key).toBe(key);
  });

  it('no step if the request has no steps', () => {
    expect(findOpeningEntry({ forest: build([]), failing: undefined, slowest: undefined })).toBeUndefined();
  });
});

it('a failed request opens on the failed step, a slow request on its slowest step', () => {
  const forest = build([
    ['route', null, 20, { ...HANDLER, ...OWN }],
    ['query', 'route', 18],
    ['tax', 'route', 1, { error: { message: 'no rate' } }],
  ]);
  const [route, query, tax] = forest.all;
  if (route === undefined || query === undefined || tax === undefined) throw new Error('three steps');
  const slowest = toEntry(query);
  expect(findOpeningEntry({ forest, failing: tax, slowest })?.key).toBe('tax');
  expect(findOpeningEntry({ forest, failing: undefined, slowest })?.key).toBe('query');
  expect(findOpeningEntry({ forest, failing: undefined, slowest: undefined })?.key).toBe('route');
});

it('a failed request opens on its first difference from successful requests rather than on the failed step', () => {
  const forest = build([
    ['route', null, 20, { ...HANDLER, ...OWN }],
    ['findGuest', 'route', 2, OWN],
    ['greet', 'route', 3, OWN],
  ]);
  const [failing, cause] = [forest.byId.get('greet'), forest.byId.get('findGuest')];
  const open = (at: typeof cause) =>
    findOpeningEntry({ forest, cause: at, failing, slowest: undefined })?.key;
  expect(open(cause)).toBe(cause?.key);
  expect(open(undefined)).toBe(failing?.key);
});

describe('a slow request whose cause is a repeated call', () => {
  const forest = build([
    ['route', null, 200, { ...HANDLER, ...OWN }],
    ...[0, 1, 2, 3].flatMap((at): Written[] => [
      [`load${at}`, 'route', 40, { ...OWN, stepName: 'load' }],
      [`query${at}`, `load${at}`, 39, { stepName: 'SELECT orders' }],
    ]),
    ['other', 'route', 30, OWN],
  ]);
  const slowest = bundleRepeats(forest.roots[0]?.children ?? []).find(({ kind }) => kind === 'bundle');
  const open = (id: string, isCauseRepeated: boolean, isSlow = true) =>
    findOpeningEntry({
      forest,
      cause: forest.byId.get(id),
      isCauseRepeated,
      failing: undefined,
      slowest: isSlow ? slowest : undefined,
    });

  it('opens on the bundle of the calls, or of their callers', () => {
    expect(slowest?.kind).toBe('bundle');
    expect(open('load2', true)).toBe(slowest);
    expect(open('query0', true)).toBe(slowest);
  });

  it('opens on the call itself if the call is outside the bundle, or the request is not slow', () => {
    expect(open('other', true)?.key).toBe(forest.byId.get('other')?.key);
    expect(open('query0', true, false)?.key).toBe(forest.byId.get('query0')?.key);
  });

  it("opens on the call itself if the calls are of the user's own function, even if each caller made only one of them", () => {
    const nested = build([
      ['route', null, 200, { ...HANDLER, ...OWN }],
      ...[0, 1, 2, 3].flatMap((at): Written[] => [
        [`find${at}`, 'route', 40, { ...OWN, stepName: 'find' }],
        [`read${at}`, `find${at}`, 39, { ...OWN, stepName: 'read' }],
      ]),
    ]);
    const [callers] = bundleRepeats(nested.roots[0]?.children ?? []);
    const cause = nested.byId.get('read0');
    expect(callers?.kind).toBe('bundle');
    expect(
      findOpeningEntry({ forest: nested, cause, isCauseRepeated: true, failing: undefined, slowest: callers })
        ?.key,
    ).toBe(cause?.key);
  });

  it('opens on the call itself if the call was not found by the rule for repeated calls', () => {
    expect(open('query0', false)?.key).toBe(forest.byId.get('query0')?.key);
  });

  it('opens on the one call that took at least half of the time', () => {
    const uneven = build([
      ['route', null, 200, { ...HANDLER, ...OWN }],
      ...[10, 100, 10, 10].map((ms, at): Written => [`load${at}`, 'route', ms, { ...OWN, stepName: 'load' }]),
    ]);
    const [bundle] = bundleRepeats(uneven.roots[0]?.children ?? []);
    const cause = uneven.byId.get('load1');
    expect(bundle?.kind).toBe('bundle');
    expect(
      findOpeningEntry({ forest: uneven, cause, isCauseRepeated: true, failing: undefined, slowest: bundle })
        ?.key,
    ).toBe(cause?.key);
  });
});
