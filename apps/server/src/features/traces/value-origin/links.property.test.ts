import { type CapturedValue, findReferred, type Step, type ValueLink } from '@throughline/contract';
import { classifyValue, findValueAt, findValueDifferences } from '@throughline/contract/captured';
import { repetitions } from '@throughline/testkit/thorough';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { planTrace } from './searched.fixture.ts';
import { findValueOrigin, type SearchedTrace } from './value-origin.ts';

/** Few distinct values, so that values repeat, in forms that are easy to confuse. */
const leaf = fc.constantFrom<CapturedValue>(
  'order-5512',
  '8291',
  8291,
  31.5,
  'UK',
  'to order-5512!',
  true,
  null,
  { $type: 'Date', value: '2026-01-05T00:00:00.000Z' },
  { $type: 'bigint', value: '8291' },
  { $type: 'string', value: 'order-5512', length: 900 },
  { $type: 'redacted', of: 'string' },
);
const name = fc.constantFrom('country', 'id', '__proto__', 'a.b', '0', '');
const { value } = fc.letrec<{ value: CapturedValue }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    leaf,
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(name, tie('value'), { maxKeys: 3 }),
    fc
      .array(fc.tuple(fc.oneof(name, fc.constant(7)), tie('value')), { maxLength: 3 })
      .map((entries): CapturedValue => ({ $type: 'Map', size: entries.length, entries })),
    fc
      .dictionary(name, tie('value'), { maxKeys: 2 })
      .map((properties): CapturedValue => ({ $type: 'object', class: 'Order', properties })),
    fc
      .tuple(fc.nat(3), fc.constantFrom('inputs', 'outputs'), name)
      .map(
        ([step, part, key]): CapturedValue => ({ $type: 'reference', step: `s${step}`, path: [part, key] }),
      ),
  ),
}));
const bindings = fc.dictionary(name, value, { maxKeys: 3 });
const searched = fc
  .record({
    steps: fc.array(
      fc.record({
        parent: fc.nat(4),
        at: fc.tuple(fc.nat(20), fc.nat(20)),
        inputs: bindings,
        outputs: value,
        variables: fc.record({ parameters: bindings, localVariables: bindings }),
      }),
      { minLength: 1, maxLength: 5 },
    ),
    body: value,
    answer: value,
  })
  .map(({ steps, ...parts }) =>
    planTrace(
      steps.map(({ parent, at: [from, ms], ...step }, index) => ({
        ...step,
        id: `s${index}`,
        ...(parent < index ? { parent: `s${parent}` } : {}),
        at: [from, from + ms] as const,
      })),
      parts,
    ),
  );

type AtPlace = Pick<ValueLink, 'stepId' | 'place' | 'path'>;
type At = { readonly home: Step; readonly value: CapturedValue };

/** Reads the value at a path key by key, following references. */
function readAt(
  { trace, steps }: SearchedTrace,
  { stepId, place, path }: AtPlace,
): CapturedValue | undefined {
  const find = (id: string | null) => steps.find((each) => each.stepId === id);
  const home = find(stepId);
  if (home === undefined) {
    const bodies = new Map<string, string>([
      ['request.body', trace.request_body],
      ['response.body', trace.response_body],
      ['request.path', JSON.stringify(trace.path)],
    ]);
    const json = bodies.get(place);
    return json === undefined ? undefined : findValueAt(JSON.parse(json), path);
  }
  const follow = (at: At, hops = 0): At => {
    const shape = classifyValue(at.value);
    if (shape.kind !== 'form' || shape.form.$type !== 'reference' || hops > 40) return at;
    const there = shape.form.step === undefined ? at.home : find(shape.form.step);
    const value = there && findReferred(there, shape.form.path);
    return there === undefined || value === undefined ? at : follow({ home: there, value }, hops + 1);
  };
  const whole = findReferred(home, [place]);
  let at = whole === undefined ? undefined : follow({ home, value: whole });
  for (const key of path) {
    const part = at && findValueAt(at.value, [key]);
    at = at === undefined || part === undefined ? undefined : follow({ home: at.home, value: part });
  }
  return at?.value;
}

/** Returns the string form of a simple value, and its kind. */
function read(value: CapturedValue): { readonly kind: string; readonly text: string } {
  const shape = classifyValue(value);
  if (shape.kind !== 'form') return { kind: typeof value, text: String(value) };
  const { form } = shape;
  if (form.$type === 'bigint') return { kind: 'number', text: form.value };
  if (form.$type === 'string') return { kind: 'cut', text: form.value };
  return { kind: form.$type, text: form.$type === 'Date' ? String(form.value) : '' };
}

function holds(how: ValueLink['how'], there: CapturedValue, wanted: CapturedValue): boolean {
  const [one, other] = [read(there), read(wanted)];
  switch (how) {
    case 'equal-text':
    case 'equal-number':
    case 'equal-date':
    case 'same-name':
      return one.kind === other.kind && one.text === other.text;
    case 'as-text':
      return one.kind !== other.kind && one.text === other.text;
    case 'in-text':
      return ['string', 'cut'].includes(one.kind) && one.text.includes(other.text);
    case 'equal-content':
      return findValueDifferences(there, wanted).found.length === 0;
    case 'same-object':
      return typeof there === 'object' && there !== null;
  }
}

test('each link leads to a part of the trace that contains the value, and each part is listed once', async () => {
  await fc.assert(
    fc.asyncProperty(
      searched,
      fc.nat(4),
      fc.constantFrom('inputs', 'outputs', 'parameters', 'localVariables'),
      name,
      async (trace, at, place, key) => {
        const stepId = `s${at}`;
        if (at >= trace.steps.length) return;
        const path = place === 'outputs' ? [] : [key];
        const { origin } = (await findValueOrigin(trace, { stepId, place, path })) ?? {};
        const wanted = readAt(trace, { stepId, place, path });
        if (origin === undefined) {
          expect(wanted).toBeUndefined();
          return;
        }
        const links = [...origin.came, ...origin.went];
        for (const link of links) {
          const there = readAt(trace, link);
          expect(there, JSON.stringify(link)).toBeDefined();
          if (there !== undefined && wanted !== undefined) expect(holds(link.how, there, wanted)).toBe(true);
        }
        const keys = links.map((link) => JSON.stringify([link.stepId, link.place, link.path]));
        expect(new Set(keys).size).toBe(keys.length);
        if (origin.refusal !== null) expect(links).toEqual([]);
      },
    ),
    { numRuns: repetitions({ usually: 500, thoroughly: 3000 }) },
  );
}, 30_000);
