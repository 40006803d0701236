import type { CapturedValue } from '@throughline/contract';
import { expect, test } from 'vitest';
import { findFirstDifference, findWrongValue, type ReadTrace } from '../comparison.ts';
import { type Call, readCalls } from '../read-calls.fixture.ts';

/** Moves a request to the next day. */
function later(request: ReadTrace): ReadTrace {
  const move = (time: string) => time.replace('2026-01-02', '2026-01-03').replace('2026-01-01', '2026-01-02');
  return {
    ...request,
    steps: request.steps.map((step) => ({
      ...step,
      startTime: move(step.startTime),
      endTime: move(step.endTime),
    })),
  };
}

const say = (request: ReadTrace, goods: readonly ReadTrace[]) => {
  const [right, ...further] = goods;
  if (right === undefined) throw new Error('there is a good request');
  return findWrongValue(later(request), right, further);
};

interface Quote {
  readonly vehicle: string;
  readonly included: readonly string[];
  readonly extras?: readonly string[];
  /** The list after the call, if the call changed it. */
  readonly left?: readonly string[];
  readonly throws?: string;
}

function traceQuote({ vehicle, included, extras = [], left, throws }: Quote): ReadTrace {
  const withExtras: Call = {
    name: 'withExtras',
    inputs: { included: [...included], extras: [...extras] },
    returns: [...(left ?? included)],
    ...(left === undefined ? {} : { parameters: { included: [...left] } }),
  };
  const quote: Call = {
    name: 'quoteRental',
    inputs: { vehicle, days: 2 },
    returns: { extras: [...(left ?? included)] },
    calls: [withExtras],
  };
  const check: Call = { name: 'check', inputs: { extras: [...(left ?? included)] } };
  if (throws === undefined) return readCalls({ name: 'handle', calls: [quote, check] }, { vehicle, extras });
  return readCalls(
    { name: 'handle', throws, calls: [quote, { ...check, throws }] },
    { vehicle, extras: [...extras] },
  );
}

const UNCHANGED = [
  traceQuote({ vehicle: 'estate', included: ['insurance'] }),
  traceQuote({ vehicle: 'van', included: ['insurance', 'roadside'], extras: ['roadside'] }),
];
const CHANGING = traceQuote({
  vehicle: 'estate',
  included: ['insurance'],
  extras: ['skiRack'],
  left: ['insurance', 'skiRack'],
});
const WRONG = traceQuote({ vehicle: 'estate', included: ['insurance', 'skiRack'] });

test('a list that still has an item that an earlier request added is described at the call that received the list', () => {
  expect(say(WRONG, [...UNCHANGED, CHANGING])).toEqual({
    text: '`included` is ["insurance", "skiRack"] in `withExtras`: `withExtras` set `included[1]` to "skiRack" in an earlier request',
    step: '3',
    other: null,
  });
});

test('a list that still has an item that an earlier request added is described, too, if the request failed later', () => {
  const failing = traceQuote({ vehicle: 'estate', included: ['insurance', 'skiRack'], throws: 'too many' });
  const found = findFirstDifference(later(failing), CHANGING, UNCHANGED);
  expect(found?.step).toBe('3');
});

const asRoute = (request: ReadTrace, method: string, route: string): ReadTrace => ({
  ...request,
  trace: { ...request.trace, method, route },
});

test.each<[string, ReadTrace, readonly ReadTrace[]]>([
  ['no earlier request added it', WRONG, UNCHANGED],
  [
    'the request itself sent the item',
    traceQuote({ vehicle: 'estate', included: ['insurance', 'skiRack'], extras: ['skiRack'] }),
    [...UNCHANGED, CHANGING],
  ],
  [
    'the earlier request added it for another vehicle',
    traceQuote({ vehicle: 'van', included: ['insurance', 'skiRack'] }),
    [...UNCHANGED, CHANGING],
  ],
  [
    'the list has another item that no request added',
    traceQuote({ vehicle: 'estate', included: ['insurance', 'skiRack', 'gps'] }),
    [...UNCHANGED, CHANGING],
  ],
  [
    'the function usually changes the list',
    WRONG,
    [
      ...UNCHANGED,
      CHANGING,
      ...['gps', 'seat', 'chains'].map((extra) =>
        traceQuote({ vehicle: 'bus', included: [], extras: [extra], left: [extra] }),
      ),
    ],
  ],
  ['the request changes a resource', asRoute(WRONG, 'PATCH', '/quotes'), [...UNCHANGED, CHANGING]],
  ['the request is about one resource', asRoute(WRONG, 'POST', '/quotes/:id'), [...UNCHANGED, CHANGING]],
  ['the request that added it is later', WRONG, [...UNCHANGED, later(later(CHANGING))]],
])('an item in a list is not described if %s', (_, request, goods) => {
  expect(say(request, goods)).toBeUndefined();
});

function traceTour(activities: readonly string[], added?: string): ReadTrace {
  const tour = { city: 'Lisbon', activities: [...activities] };
  const extended: CapturedValue = { ...tour, activities: [...activities, added ?? ''] };
  return readCalls({
    name: 'handle',
    calls: [
      { name: 'startTour', inputs: { name: 'lisbon' }, returns: tour },
      {
        name: 'addExtras',
        inputs: { tour },
        ...(added === undefined ? {} : { parameters: { tour: extended } }),
      },
    ],
  });
}

test('a result with a member that an earlier request had set in an argument of another function is described', () => {
  const goods = [traceTour(['tram']), traceTour(['tram']), traceTour(['tram'], 'fado')];
  expect(say(traceTour(['tram', 'fado']), goods)).toEqual({
    text: '`startTour` returned { city: "Lisbon", activities: ["tram", "fado"] }: `addExtras` set `tour.activities[1]` to "fado" in an earlier request',
    step: '2',
    other: null,
  });
});

function traceWash(winter: boolean, steps: readonly string[]): ReadTrace {
  const care: Call = {
    name: 'addWinterCare',
    inputs: { steps: ['wash', 'dry'] },
    parameters: { steps: ['wash', 'salt', 'dry'] },
  };
  const stepsFor: Call = {
    name: 'stepsFor',
    inputs: { program: 'comfort', options: { winter } },
    returns: [...steps],
    calls: winter ? [care] : [],
  };
  return readCalls({ name: 'handle', calls: [stepsFor] }, { winter });
}
const WINTER = traceWash(true, ['wash', 'salt', 'dry']);
const USUAL = traceWash(false, ['wash', 'dry']);

test('a change by a function that always changes its argument is described if three earlier requests saw the object without the change', () => {
  expect(
    say(traceWash(false, ['wash', 'salt', 'dry']), [USUAL, USUAL, USUAL, later(WINTER)]),
  ).toBeUndefined();
  expect(say(later(traceWash(false, ['wash', 'salt', 'dry'])), [USUAL, USUAL, USUAL, later(WINTER)])).toEqual(
    {
      text: '`stepsFor` returned ["wash", "salt", "dry"]: `addWinterCare` set `steps[1]` to "salt" in an earlier request',
      step: '2',
      other: null,
    },
  );
});

test('a change by a function that always changes its argument is not described if only two earlier requests saw the object without the change', () => {
  expect(
    say(later(traceWash(false, ['wash', 'salt', 'dry'])), [USUAL, USUAL, later(WINTER)]),
  ).toBeUndefined();
});

test('a change that the inspected request made, too, is not described', () => {
  const care: Call = {
    name: 'addWinterCare',
    inputs: { steps: ['wash', 'dry'] },
    parameters: { steps: ['wash', 'salt', 'dry'] },
  };
  const request = readCalls({
    name: 'handle',
    calls: [
      { ...care },
      {
        name: 'stepsFor',
        inputs: { program: 'comfort', options: { winter: false } },
        returns: ['wash', 'salt', 'dry'],
      },
    ],
  });
  expect(say(later(request), [USUAL, USUAL, USUAL, later(WINTER)])).toBeUndefined();
});
