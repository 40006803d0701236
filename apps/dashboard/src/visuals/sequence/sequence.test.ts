import type { Step, StepType } from '@throughline/contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { aForest, aStep } from '../steps/step.fixture.ts';
import { findTarget } from './call-target.ts';
import { buildSequence, type Sequence, type SequenceRequest } from './sequence-data.ts';

const step = (stepId: string, stepType: StepType, stepName: string, more: Partial<Step> = {}): Step =>
  aStep(stepId, { stepType, stepName, ...more });

function request(service: string, parentSpanId: string | null, flow: Step[]): SequenceRequest {
  return {
    id: service,
    service,
    name: `GET /${service}`,
    answer: '200',
    failed: false,
    startMs: 0,
    durationMs: 10,
    parentSpanId,
    forest: aForest(flow.map((each, sequence) => ({ ...each, sequence }))),
  };
}

const lines = ({ actors, messages }: Sequence) =>
  messages.map(({ from, to, label, ...message }) => {
    const times = message.kind === 'call' && message.calls > 1 ? ` ×${message.calls}` : '';
    return `${actors[from]?.name} → ${actors[to]?.name}: ${label}${times}`;
  });

describe('the target of a step', () => {
  it.each<[Step, string | undefined]>([
    [step('a', 'function', 'x'), undefined],
    [step('a', 'database', 'SELECT x'), 'database Database'],
    [
      step('a', 'database', 'x', { metadata: { 'db.system': 'postgresql', 'db.name': 'shop' } }),
      'database postgresql shop',
    ],
    [step('a', 'cache', 'GET', { metadata: { 'db.system.name': 'redis' } }), 'cache redis'],
    [
      step('a', 'queue', 'send', {
        metadata: { 'messaging.system': 'kafka', 'messaging.destination.name': 'orders' },
      }),
      'queue kafka orders',
    ],
    [step('a', 'http', 'POST bank.example:8080/charge?x=1'), 'host bank.example:8080'],
    [step('a', 'http', 'GET https://bank.example/charge'), 'host bank.example'],
    [step('a', 'http', 'GET', { metadata: { 'server.address': 'bank' } }), 'host bank'],
    [step('a', 'http', 'call', { metadata: ['nothing', 'known'] }), 'host Other host'],
  ])('is derived from the name and metadata of the step', (called, expected) => {
    const target = findTarget(called);
    expect(target && `${target.kind} ${target.name}`).toBe(expected);
  });
});

describe('the sequence diagram', () => {
  it("shows the client's request, the service's calls in start order, and the response", () => {
    const shop = request('shop', null, [
      step('f', 'function', 'load'),
      step('a', 'database', 'SELECT carts', { parentStepId: 'f' }),
      step('b', 'http', 'POST bank.example/charge'),
    ]);
    expect(lines(buildSequence(shop, []))).toEqual([
      'Client → shop: GET /shop',
      'shop → Database: SELECT carts',
      'shop → bank.example: POST bank.example/charge',
      'shop → Client: 200',
    ]);
  });

  it('merges three or more equal successive calls, but no failed calls', () => {
    const query = (id: string, failed = false) =>
      step(id, 'database', 'SELECT parts', failed ? { error: { message: 'x' } } : {});
    const shop = request('shop', null, [
      query('a'),
      query('b'),
      query('c'),
      query('d', true),
      query('e'),
      query('f'),
    ]);
    expect(lines(buildSequence(shop, [])).slice(1, -1)).toEqual([
      'shop → Database: SELECT parts ×3',
      'shop → Database: SELECT parts',
      'shop → Database: SELECT parts',
      'shop → Database: SELECT parts',
    ]);
  });

  it('shows nested calls to the same target as one message', () => {
    const shop = request('shop', null, [
      step('orm', 'database', 'findOrder'),
      step('sql', 'database', 'SELECT orders', { parentStepId: 'orm' }),
    ]);
    expect(lines(buildSequence(shop, [])).slice(1, -1)).toEqual(['shop → Database: findOrder']);
  });

  it('follows calls into other traced services and back', () => {
    const shop = request('shop', null, [
      step('a', 'http', 'POST pay.example/charge', { metadata: { spanId: 'one' } }),
      step('b', 'database', 'SELECT x'),
    ]);
    const pay = request('pay', 'one', [step('two', 'http', 'POST bank.example/x')]);
    const bank = request('bank', 'two', []);
    expect(lines(buildSequence(shop, [bank, pay]))).toEqual([
      'Client → shop: GET /shop',
      'shop → pay: POST pay.example/charge',
      'shop → pay: GET /pay',
      'pay → bank: POST bank.example/x',
      'pay → bank: GET /bank',
      'bank → pay: 200',
      'pay → shop: 200',
      'shop → Database: SELECT x',
      'shop → Client: 200',
    ]);
    expect(lines(buildSequence(pay, [shop, bank]))[0]).toBe('shop → pay: GET /pay');
  });

  it('is finite if services call each other in a cycle', () => {
    const call = (id: string) => step(id, 'http', 'GET other.example/', { metadata: { spanId: id } });
    const ring = [
      request('a', 'c1', [call('a1')]),
      request('b', 'a1', [call('b1')]),
      request('c', 'b1', [call('c1')]),
    ];
    const [first, ...others] = ring;
    if (first === undefined) throw new Error('there is one');
    const { messages } = buildSequence(first, others);
    expect(messages.filter(({ kind }) => kind === 'request')).toHaveLength(3);
    expect(messages.filter(({ kind }) => kind === 'answer')).toHaveLength(3);
  });

  it('shows the same calls as a slow reference computation, for any steps; equal calls in a row are one message', () => {
    const TARGETS: { readonly [type in StepType]?: (name: string) => string } = {
      database: () => 'Database',
      cache: () => 'Cache',
      queue: () => 'Queue',
      http: (name) => ({ 'GET b/': 'b', 'GET c/': 'c' })[name] ?? 'Other host',
    };
    const types: readonly StepType[] = ['function', 'database', 'http', 'cache', 'queue'];
    const flows = fc.array(
      fc.record({
        parent: fc.option(fc.nat()),
        type: fc.constantFrom(...types),
        name: fc.constantFrom('a', 'GET b/', 'GET c/'),
        failed: fc.boolean(),
      }),
      { maxLength: 30, size: 'max' },
    );
    fc.assert(
      fc.property(flows, (flow) => {
        // Each step is called by an earlier step, or by none.
        const all = flow.map((one, index) => ({
          ...one,
          parent: one.parent === null || index === 0 ? undefined : one.parent % index,
          to: TARGETS[one.type]?.(one.name),
        }));
        const shop = request(
          'shop',
          null,
          all.map(({ parent, type, name, failed }, index) =>
            step(`s${index}`, type, name, {
              parentStepId: parent === undefined ? null : `s${parent}`,
              error: failed ? { message: 'x' } : null,
            }),
          ),
        );
        // A call below a call to the same target is part of that call.
        const isWithin = (to: string, at: number | undefined): boolean =>
          at !== undefined && (all[at]?.to === to || isWithin(to, all[at]?.parent));
        const calls = all.flatMap(({ to, name, failed, parent }) =>
          to === undefined || isWithin(to, parent) ? [] : [{ line: `shop → ${to}: ${name}`, failed }],
        );
        const drawn: string[] = [];
        for (let at = 0; at < calls.length; ) {
          const first = calls[at];
          const run = calls.slice(at).findIndex((one) => one.failed || one.line !== first?.line);
          const alike = run < 0 ? calls.length - at : run;
          drawn.push(`${first?.line}${alike >= 3 ? ` ×${alike}` : ''}`);
          at += alike >= 3 ? alike : 1;
        }
        const sequence = buildSequence(shop, []);
        expect(lines(sequence)).toEqual(['Client → shop: GET /shop', ...drawn, 'shop → Client: 200']);
        const keys = sequence.messages.map(({ key }) => key);
        expect(new Set(keys).size).toBe(keys.length);
      }),
    );
  });
});
