import { expect, it } from 'vitest';
import { aForest, aStep, ran } from '../../../steps/step.fixture.ts';
import { buildCallGraph } from '../calls/call-graph.ts';
import { describeFunction } from '../calls/function-words.ts';
import { findValuePath, type PathPlace } from './value-path.ts';
import { describeValueEdge } from './value-path-words.ts';

const step = (id: string, parentStepId: string | null, more = {}) =>
  aStep(id, { parentStepId, ...ran(0, 10), ...more });

const forest = aForest([
  step('placeOrder', null),
  step('saveOrder', 'placeOrder'),
  step('insert', 'saveOrder'),
  step('notify1', 'placeOrder'),
  step('notify2', 'placeOrder'),
  step('send', 'notify1'),
]);
const graph = buildCallGraph(forest);

/** Builds numbered places. A text is a step's id and, after a space, `in` for a received value or `out` for a result. */
function listPlaces(...texts: readonly string[]): PathPlace[] {
  return texts.map((text, index) => {
    const [owner = '', side] = text.split(' ');
    const node = forest.byId.get(owner);
    return {
      number: index + 1,
      at: node ?? (owner === 'response' ? 'response' : 'request'),
      isReceived: side === 'in',
      what: `value ${owner}`,
      name: owner,
      how: 'equal text',
      doubt: 1,
    };
  });
}

const findName = (id: string | undefined) => {
  const called = id === undefined ? undefined : graph.byId.get(id);
  return called === undefined ? '–' : describeFunction(called).name;
};

function listEdges(...texts: readonly string[]): string[] {
  return findValuePath(graph, listPlaces(...texts)).edges.map(
    ({ from, to, passes }) =>
      `${findName(from)} > ${findName(to)} ${passes.map(({ receiver, isPassed }) => `${receiver.number}${isPassed ? '' : '?'}`)}`,
  );
}

it('an argument comes from the nearest caller that has the value, not from the previous place in time', () => {
  expect(listEdges('request', 'placeOrder in', 'saveOrder in', 'insert in', 'notify1 in', 'send in')).toEqual(
    [
      '– > placeOrder 2',
      'placeOrder > saveOrder 3',
      'saveOrder > insert 4',
      'placeOrder > notify 5',
      'notify > send 6',
    ],
  );
});

it('a result comes from the result of a nested call, not from an argument that a nested call received', () => {
  expect(listEdges('insert out', 'saveOrder out', 'placeOrder out', 'response')).toEqual([
    'insert > saveOrder 2',
    'saveOrder > placeOrder 3',
    'placeOrder > – 4?',
  ]);
  expect(listEdges('placeOrder in', 'saveOrder in', 'placeOrder out')).toEqual(['placeOrder > saveOrder 2']);
});

it('if no call can have passed the value to a place, the place is only marked as later in time', () => {
  expect(listEdges('saveOrder out', 'notify1 in', 'notify2 in')).toEqual(['saveOrder > notify 2?']);
  expect(listEdges('request', 'request', 'response', 'response')).toEqual([]);
});

it('several passes between two functions are one arrow', () => {
  expect(listEdges('placeOrder out', 'notify1 in', 'notify2 in')).toEqual(['placeOrder > notify 2,3']);
});

it('each function has the numbers of all its places in the path', () => {
  const { functions } = findValuePath(graph, listPlaces('request', 'notify1 in', 'send in', 'notify2 in'));
  expect([...functions].map(([id, numbers]) => [findName(id), numbers])).toEqual([
    ['notify', [2, 4]],
    ['send', [3]],
  ]);
});

it('an arrow is labelled with the passed value, and with the less certain of the reasons why its two ends have the value', () => {
  const [first, second] = listPlaces('placeOrder in', 'notify1 in');
  if (first === undefined || second === undefined) throw new Error('two places');
  const edges = [
    { giver: { ...first, how: 'same object', doubt: 0 }, receiver: second, isPassed: true },
    { giver: { ...first, how: 'within a longer text', doubt: 7 }, receiver: second, isPassed: false },
  ].map((pass) => describeValueEdge(graph, { id: '', from: 'f0', to: 'f3', passes: [pass] }));
  expect(edges.map(({ sentence }) => sentence)).toEqual([
    'Place 2: value notify1 of notify, from value placeOrder of placeOrder, equal text',
    'Place 2: value notify1 of notify, from value placeOrder of placeOrder, within a longer text, later in time',
  ]);
  expect(edges[0]?.label).toBe('placeOrder as notify1, equal text');
});
