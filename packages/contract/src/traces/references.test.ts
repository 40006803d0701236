import { expect, test } from 'vitest';
import type { CapturedValue } from '../values.ts';
import { listReferredSteps, type ReferringStep, withReferred } from './references.ts';

function step(stepId: string, values: Omit<ReferringStep, 'stepId'>): ReferringStep {
  return { stepId, ...values };
}

const refer = (stepId: string | undefined, ...path: (string | number)[]): CapturedValue => ({
  $type: 'reference',
  ...(stepId !== undefined && { step: stepId }),
  path,
});

function resolved(steps: readonly ReferringStep[], stepId: string): ReferringStep | undefined {
  const find = (id: string) => steps.find((one) => one.stepId === id);
  const one = find(stepId);
  return one && withReferred(one, find);
}

test('a reference is replaced by the value in the other step, even if that value contains references itself', () => {
  const steps = [
    step('1', { outputs: [{ id: 7 }, { $type: 'object', class: 'User', properties: { name: 'Ada' } }] }),
    step('2', { inputs: { user: refer('1', 'outputs', 1), list: { first: refer('1', 'outputs', 0) } } }),
    step('3', { inputs: { all: refer('2', 'inputs', 'list') } }),
  ];
  expect(resolved(steps, '2')?.inputs).toEqual({
    user: { $type: 'object', class: 'User', properties: { name: 'Ada' } },
    list: { first: { id: 7 } },
  });
  expect(resolved(steps, '3')?.inputs).toEqual({ all: { first: { id: 7 } } });
  expect([...listReferredSteps(steps[1] ?? step('0', {}))]).toEqual(['1']);
});

test('the paths of references lead through maps, sets, truncated lists and errors', () => {
  const map = { $type: 'Map', size: 1, entries: [[{ k: 1 }, { v: 2 }]] } as const;
  const error = {
    $type: 'Error',
    class: 'E',
    message: 'm',
    cause: { c: 3 },
    properties: { p: { q: 4 } },
  } as const;
  const steps = [
    step('1', { inputs: { map, set: { $type: 'Set', size: 1, values: [{ s: 5 }] }, error } }),
    step('2', {
      inputs: {
        key: refer('1', 'inputs', 'map', 0, 'key'),
        value: refer('1', 'inputs', 'map', 0),
        item: refer('1', 'inputs', 'set', 0),
        cause: refer('1', 'inputs', 'error', 'cause'),
        property: refer('1', 'inputs', 'error', 'p', 'q'),
      },
    }),
  ];
  expect(resolved(steps, '2')?.inputs).toEqual({
    key: { k: 1 },
    value: { v: 2 },
    item: { s: 5 },
    cause: { c: 3 },
    property: 4,
  });
});

test('references from one captured field of a step to another field are replaced, but not references within the same field', () => {
  const order = { id: 7 };
  const variables = {
    parameters: {
      order: refer(undefined, 'inputs', 'order'),
      again: refer(undefined, 'parameters', 'order'),
    },
    localVariables: { result: refer(undefined, 'outputs') },
    returnValue: refer(undefined, 'localVariables', 'result'),
  };
  expect(resolved([step('1', { inputs: { order }, outputs: [1], variables })], '1')?.variables).toEqual({
    parameters: { order, again: refer(undefined, 'parameters', 'order') },
    localVariables: { result: [1] },
    returnValue: [1],
  });
});

test('a reference is not replaced if its target is missing, was not loaded or refers back to the reference', () => {
  const steps = [
    step('1', { inputs: { a: refer('2', 'inputs', 'b') } }),
    step('2', {
      inputs: { b: refer('1', 'inputs', 'a'), c: refer('9', 'inputs'), d: refer('1', 'inputs', '__proto__') },
    }),
  ];
  expect(resolved(steps, '2')?.inputs).toEqual({
    b: refer('1', 'inputs', 'a'),
    c: refer('9', 'inputs'),
    d: refer('1', 'inputs', '__proto__'),
  });
});

test('references that expand exponentially are cut off, so that the trace can be shown', () => {
  const steps = [step('1', { inputs: { x: { a: 1 } } })];
  for (let nth = 2; nth < 60; nth++) {
    const before = refer(`${nth - 1}`, 'inputs', 'x');
    steps.push(step(`${nth}`, { inputs: { x: { a: before, b: before } } }));
  }
  const started = resolved(steps, '59');
  expect(started?.inputs).toHaveProperty('x');
});
