import type { CapturedValue } from '@throughline/contract';
import { expect, test } from 'vitest';
import { compareTraces, findFirstDifference, type ReadTrace } from '../comparison.ts';
import { type Call, readCalls } from '../read-calls.fixture.ts';

const UNDEFINED = { $type: 'undefined' };

/** Calls whose results differ in every request. */
const CHANGING: readonly [string, (at: number) => Call][] = [
  ['the time', (at) => ({ name: 'nowIso', returns: `2026-11-29T09:00:0${at}Z` })],
  [
    'a time in a zone',
    (at) => ({ name: 'nowIso', inputs: { zone: 'UTC' }, returns: `2026-11-29T09:00:0${at}Z` }),
  ],
  ['a short id', (at) => ({ name: 'newRequestId', returns: `q${at}k${at * 7}` })],
  [
    'a short id with a prefix',
    (at) => ({ name: 'newRequestId', inputs: { kind: 'order' }, returns: `q${at}k${at * 7}` }),
  ],
  [
    'a unique id',
    (at) => ({ name: 'newId', inputs: { at }, returns: `0f8fad5b-d9cb-469f-a165-70867728950${at}` }),
  ],
];

function traceCoupon(code: string, below: readonly Call[], isFound: boolean): ReadTrace {
  const coupon: CapturedValue = isFound ? { percent: code.length } : UNDEFINED;
  const throws = "reading 'percent'";
  const failed = isFound ? { returns: 'done' } : { throws };
  return readCalls(
    {
      name: 'handle',
      ...failed,
      calls: [
        { name: 'findCoupon', inputs: { code }, returns: coupon, calls: below },
        { name: 'apply', inputs: { coupon }, ...failed },
      ],
    },
    { code },
  );
}

test.each(CHANGING)(
  'if a look-up found nothing, a function that returned %s is not described',
  (_, change) => {
    const [right, ...further] = ['SPRING', 'SUMMER', 'WINTER'].map((code, at) =>
      traceCoupon(code, [change(at)], true),
    );
    if (right === undefined) throw new Error('there is a good request');
    const said = findFirstDifference(traceCoupon('AUTUMN', [change(4)], false), right, further);
    expect(said?.text).toContain('`findCoupon` returned undefined');
  },
);

test.each([
  ['another text is not described as the key', 'AUTUMN', '`findCoupon` returned undefined'],
  ['the text is described as the key', 'a****n', '`mask` returned "a****n"'],
])(
  'if one call of a look-up computed a text, and the next call received a text and found nothing, %s',
  (_, key, expected) => {
    const below = (code: string, masked: string, wanted: string, isFound: boolean): readonly Call[] => [
      { name: 'mask', inputs: { code }, returns: masked },
      { name: 'query', inputs: { wanted }, returns: isFound ? [1] : [] },
    ];
    const goods = [
      traceCoupon('SPRING', below('SPRING', 's****g', 'SPRING', true), true),
      traceCoupon('SUMMER', below('SUMMER', 's****r', 'SUMMER', true), true),
      traceCoupon('WINTER', below('WINTER', 'w****r', 'WINTER', true), true),
    ];
    const [right, ...further] = goods;
    if (right === undefined) throw new Error('there is a good request');
    const failed = traceCoupon('AUTUMN', below('AUTUMN', 'a****n', key, false), false);
    expect(findFirstDifference(failed, right, further)?.text).toContain(expected);
  },
);

function traceDoctor(id: string, changing: Call): ReadTrace {
  return readCalls({
    name: 'show',
    calls: [
      { name: 'findDoctor', inputs: { id }, returns: { id, name: `Dr. ${id}`, room: id.length } },
      changing,
    ],
  });
}

const REPEATED = CHANGING.filter(([name]) => name !== 'a short id with a prefix');
test.each(REPEATED)('if a request succeeded, a function that returned %s is not described', (_, change) => {
  const [right, ...further] = ['young', 'silva', 'ek'].map((id, at) => traceDoctor(id, change(at)));
  if (right === undefined) throw new Error('there is a good request');
  const { statements } = compareTraces(traceDoctor('okoro', change(4)), right, further, null);
  expect(statements[0]?.text).toContain('findDoctor');
});
