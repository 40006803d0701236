import { setTimeout as sleep } from 'node:timers/promises';
import { spansNumbered, withScopeFields } from '../bodies/otlp-protobuf.ts';
import { pack } from '../bodies/pack.ts';
import { join, type Pieces } from '../bodies/pieces.ts';
import { post } from '../calls.ts';
import type { HostileForm, Outcome, Target } from '../form.ts';

/** Span kinds: a SERVER span becomes a request. */
const INTERNAL = 1;
const SERVER = 2;

/** Time after which the server no longer waits for the SERVER span of a trace. */
const PROMOTED_AFTER_MS = 75_000;

const HEADERS = { 'content-type': 'application/x-protobuf', 'content-encoding': 'gzip' };

/** Builds a hostile input of several bodies that one sender sends one after another. The last response counts. */
function sequence(
  name: string,
  build: () => readonly Pieces[],
  after: { readonly waitMs?: number } = {},
): HostileForm {
  return {
    way: 'OTLP protobuf',
    name,
    onlyAlone: true,
    async prepare() {
      const bodies: Buffer[] = [];
      for (const pieces of build()) bodies.push(await pack(pieces, 'gzip'));
      return async (target, signal) => {
        const last = await sendAll(target, bodies, signal);
        await sleep(after.waitMs ?? 0, undefined, { signal }).catch(() => undefined);
        return last;
      };
    },
  };
}

async function sendAll(target: Target, bodies: readonly Buffer[], signal: AbortSignal): Promise<Outcome> {
  let last: Outcome = { answer: 'no answer', text: '' };
  for (const body of bodies) {
    last = await post(target, '/v1/traces', { 'x-api-key': target.apiKey, ...HEADERS }, body, signal);
    if (last.answer !== '200') break;
  }
  return last;
}

const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_each, index) => make(index));

/** Builds a SERVER span with child spans in the same trace. */
function buildRequest(spans: number, from: number): Pieces {
  const root = spansNumbered(1, () => ({ trace: 1, span: from + 1 }), SERVER);
  const steps = spansNumbered(
    spans - 1,
    (index) => ({ trace: 1, span: from + 2 + index, parent: from + 1 + index }),
    INTERNAL,
  );
  return withScopeFields(join(root, steps));
}

const traces = (count: number, from: number) =>
  withScopeFields(
    spansNumbered(count, (index) => ({ trace: from + index, span: from + index + 1, parent: 1 }), INTERNAL),
  );

/** Spans that stay within the limits of each single request, but add up over many requests. */
export const SPANS_OVER_REQUESTS: readonly HostileForm[] = [
  sequence('8 times 99,999 spans with one id', () =>
    times(8, () =>
      withScopeFields(spansNumbered(99_999, () => ({ trace: 1, span: 1, parent: 2 }), INTERNAL)),
    ),
  ),
  sequence('one trace of 100 requests of 10,000 spans', () =>
    times(100, (index) => buildRequest(10_000, index * 10_000)),
  ),
  sequence('100,000 spans of one trace sent 10 times', () => times(10, () => buildRequest(100_000, 0))),
  sequence('100,000 spans of one trace, then 200 requests for it', () => [
    buildRequest(100_000, 0),
    ...times(200, (index) => buildRequest(2, 200_000 + 2 * index)),
  ]),
  sequence('50,000 traces without a request', () => times(5, (index) => traces(10_000, 1 + index * 10_000)), {
    waitMs: PROMOTED_AFTER_MS,
  }),
];
