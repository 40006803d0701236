import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { assemble, findTopmostSpan, type SpanLink } from './assemble.ts';

const span = (
  spanId: string,
  parentSpanId: string,
  given: { readonly entry?: boolean; readonly service?: string; readonly at?: number } = {},
): SpanLink => ({
  spanId,
  parentSpanId,
  entry: given.entry ?? false,
  service: given.service ?? 'shop',
  startNanos: BigInt(given.at ?? 0),
});
const shown = (links: readonly SpanLink[]) =>
  Object.fromEntries(
    [...assemble(links)].map(([entry, steps]) => [
      entry,
      steps.map(({ spanId, parentStepId }) => `${spanId}<${parentStepId ?? ''}`),
    ]),
  );

describe('OpenTelemetry spans become steps', () => {
  test.each<[string, readonly SpanLink[], Record<string, string[]>]>([
    ['of no request if there is none', [span('a', 'x')], {}],
    [
      'of the request above them, in start order',
      [span('r', '', { entry: true }), span('b', 'a', { at: 3 }), span('a', 'r', { at: 2 })],
      { r: ['a<', 'b<a'] },
    ],
    [
      'after their callers, if all started in the same millisecond',
      [span('r', '', { entry: true }), span('a', 'b'), span('b', 'c'), span('c', 'r')],
      { r: ['c<', 'b<c', 'a<b'] },
    ],
    [
      'of the nearest request above them',
      [
        span('r', '', { entry: true }),
        span('call', 'r', { at: 1 }),
        span('s', 'call', { entry: true, service: 'pay', at: 2 }),
        span('work', 's', { service: 'pay', at: 3 }),
      ],
      { r: ['call<'], s: ['work<'] },
    ],
    [
      'once, however often they arrived',
      [span('r', '', { entry: true }), span('a', 'r'), span('a', 'r'), span('r', '', { entry: true })],
      { r: ['a<'] },
    ],
    [
      "of their service's request if an ancestor is missing, with all spans below",
      [
        span('r', '', { entry: true }),
        span('s', 'r', { entry: true, service: 'pay', at: 5 }),
        span('late', 'lost', { service: 'pay', at: 9 }),
        span('below', 'late', { service: 'other', at: 1 }),
      ],
      { r: [], s: ['below<late', 'late<'] },
    ],
    [
      'of the last request that began before them, otherwise of the first',
      [
        span('one', '', { entry: true, at: 10 }),
        span('two', '', { entry: true, at: 20 }),
        span('x', 'lost', { at: 5 }),
        span('y', 'lost', { at: 15 }),
        span('z', 'lost', { at: 25 }),
      ],
      { one: ['x<', 'y<'], two: ['z<'] },
    ],
    [
      'also if their parents form a circle, or they are their own parents',
      [
        span('r', '', { entry: true }),
        span('a', 'c', { at: 2 }),
        span('b', 'a', { at: 1 }),
        span('c', 'b', { at: 3 }),
        span('d', 'c', { at: 4 }),
        span('self', 'self', { at: 5 }),
      ],
      { r: ['b<', 'a<c', 'c<b', 'd<c', 'self<'] },
    ],
  ])('%s', (_what, links, expected) => {
    expect(shown(links)).toEqual(expected);
    expect(shown(links.toReversed())).toEqual(expected);
  });

  test('even in a chain of 50,000 spans, or with 50,000 orphans and 50,000 requests', () => {
    const chain = Array.from({ length: 50_000 }, (_span, index) =>
      span(`s${index}`, index === 0 ? 'r' : `s${index - 1}`, { at: index }),
    );
    const steps = assemble([...chain.toReversed(), span('r', '', { entry: true })]).get('r');
    expect(steps).toHaveLength(50_000);
    expect(steps?.at(-1)).toEqual({ spanId: 's49999', parentStepId: 's49998' });
    const requests = chain.map(({ spanId, startNanos }) =>
      span(`r${spanId}`, '', { entry: true, at: Number(startNanos) }),
    );
    const orphans = chain.map((one) => ({ ...one, parentSpanId: 'lost' }));
    const adopted = assemble([...orphans, ...requests]);
    expect([...adopted.values()].every((own) => own.length === 1)).toBe(true);
  });
});

const id = fc.integer({ min: 0, max: 12 }).map(String);
const link = fc.record({
  spanId: id,
  parentSpanId: fc.oneof(id, fc.constantFrom('', 'lost')),
  entry: fc.boolean(),
  service: fc.constantFrom('shop', 'pay'),
  startNanos: fc.integer({ min: 0, max: 9 }).map(BigInt),
});

/** Lists the steps of each request. Walks up from each span separately, as a slow reference for `assemble`. */
function placeSlowly(links: readonly SpanLink[]): Record<string, string[]> {
  const inOrder = links.toSorted(
    (a, b) => Number(a.startNanos - b.startNanos) || (a.spanId < b.spanId ? -1 : 1),
  );
  const entries = inOrder.filter(({ entry }) => entry);
  const findSpan = (id: string) => links.find(({ spanId }) => spanId === id);
  /**
   * A span whose ancestors are missing or form a cycle belongs to the last request that began before the span, preferably a request of the
   * same service.
   */
  const adopt = ({ service, startNanos }: SpanLink) => {
    const own = entries.filter((one) => one.service === service);
    const candidates = own.length > 0 ? own : entries;
    return (candidates.findLast((one) => one.startNanos <= startNanos) ?? candidates[0])?.spanId ?? '';
  };
  const placed = links.flatMap((span) => {
    if (span.entry || entries.length === 0) return [];
    const way = [span];
    for (;;) {
      const last = way.at(-1) ?? span;
      const parent = findSpan(last.parentSpanId);
      const circle =
        parent === undefined ? [] : way.slice(way.indexOf(parent)).filter(() => way.includes(parent));
      // The span of a cycle that began first is treated as the topmost span.
      const top = inOrder.find((one) => circle.includes(one));
      if (parent !== undefined && !parent.entry && top === undefined) {
        way.push(parent);
        continue;
      }
      const above = way.slice(0, top === undefined ? way.length : way.indexOf(top) + 1);
      const highest = above.at(-1) ?? span;
      return [
        {
          span,
          entry: parent?.entry === true ? parent.spanId : adopt(highest),
          depth: above.length,
          parent: above.length > 1 ? span.parentSpanId : '',
        },
      ];
    }
  });
  placed.sort(
    (a, b) =>
      Number(a.span.startNanos - b.span.startNanos) ||
      a.depth - b.depth ||
      (a.span.spanId < b.span.spanId ? -1 : 1),
  );
  return Object.fromEntries(
    entries.map(({ spanId }) => [
      spanId,
      placed.filter(({ entry }) => entry === spanId).map(({ span, parent }) => `${span.spanId}<${parent}`),
    ]),
  );
}

test('in any order of arrival, each span gets the position that a walk from the span up through its parents finds', () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(link, { selector: ({ spanId }) => spanId }),
      fc.infiniteStream(fc.nat()),
      (links, noise) => {
        const expected = placeSlowly(links);
        expect(shown(links)).toEqual(expected);
        const shuffled = [...links, ...links]
          .map((one) => ({ one, order: Number(noise.next().value) }))
          .sort((a, b) => a.order - b.order)
          .map(({ one }) => one);
        expect(shown(shuffled)).toEqual(expected);
        const ids = links.map(({ spanId }) => spanId);
        const tops = links.filter(({ parentSpanId }) => !ids.includes(parentSpanId));
        const first = (tops.length > 0 ? tops : links).toSorted(
          (a, b) => Number(a.startNanos - b.startNanos) || (a.spanId < b.spanId ? -1 : 1),
        );
        expect(findTopmostSpan(links)).toEqual(first[0]);
      },
    ),
    { numRuns: 250 },
  );
});
