import { describe, expect, test } from 'vitest';
import { record, stepNamed, traced } from '../../test/traced.ts';
import { step } from './step.ts';

class Query<Value> extends Promise<Value> {}

const later = <Value>(value: Value) =>
  new Query<Value>((done) => {
    setTimeout(done, 2, value);
  });

describe('the step of a call whose promise `step` returns unchanged', () => {
  test('ends when the promise settles, and shows its value', async () => {
    const { result, flow } = await record(() => step('query', () => later('row')));
    expect(result).toBe('row');
    expect(stepNamed(flow, 'query')).toMatchObject({ outputs: 'row' });
    expect(stepNamed(flow, 'query').durationMs).toBeGreaterThan(1);
    expect(stepNamed(flow, 'query').metadata).toBeUndefined();
  });

  test('shows the error if the promise rejects, and the host gets the same error', async () => {
    const error = new RangeError('late no');
    const { thrown, flow } = await record(() =>
      step('query', () =>
        later('row').then(() => {
          throw error;
        }),
      ),
    );
    expect(thrown).toBe(error);
    expect(stepNamed(flow, 'query')).toMatchObject({ error: { name: 'RangeError', message: 'late no' } });
  });

  test('is recorded without a call of methods of the promise, because a call could start work', async () => {
    const asked: PropertyKey[] = [];
    const promise = later(1);
    for (const name of ['then', 'catch', 'finally', 'constructor'])
      Reflect.defineProperty(promise, name, { get: () => void asked.push(name) });
    const { flow } = await record(() => {
      expect(step('query', () => promise)).toBe(promise);
      expect(asked).toEqual([]);
      return new Promise((done) => setTimeout(done, 20));
    });
    expect(stepNamed(flow, 'query')).toMatchObject({ outputs: 1 });
  });

  test('ends immediately if the promise has settled', async () => {
    const settled = Query.resolve('known');
    await settled;
    const { flow } = await record(() => void step('query', () => settled));
    expect(stepNamed(flow, 'query')).toMatchObject({ outputs: 'known' });
  });

  test('is unfinished if the promise never settles', async () => {
    const { flow } = await record(() => void step('query', () => new Query(() => {})));
    expect(stepNamed(flow, 'query').outputs).toBeUndefined();
    expect(stepNamed(flow, 'query').metadata).toEqual({ unfinished: true });
  });

  test('shows no value in capture mode `structure`', async () => {
    const { flow } = await record(() => step('query', () => later('row')), 'structure');
    expect(stepNamed(flow, 'query').outputs).toBeUndefined();
    expect(stepNamed(flow, 'query').metadata).toBeUndefined();
  });

  test('is the only step if an instrumented function returned the promise', async () => {
    const { find } = traced('exports.find = function find() { return later(7) }', { later });
    const { flow } = await record(() => step('find the row', find ?? (() => 0)));
    expect(flow.map(({ stepName }) => stepName)).toEqual(['find the row']);
    expect(stepNamed(flow, 'find the row')).toMatchObject({ functionName: 'find', outputs: 7 });
    expect(stepNamed(flow, 'find the row').durationMs).toBeGreaterThan(1);
    expect(stepNamed(flow, 'find the row').metadata).toBeUndefined();
  });
});
