import type { Step } from '@throughline/contract';
import { expect, it } from 'vitest';
import type { StepNode } from './analysis/step-forest.ts';
import { groupFrames, listFrames } from './stack-frames.ts';

const STACK = [
  "TypeError: Cannot read properties of undefined (reading 'rate')",
  '    at taxFor (/app/src/tax.ts:18:24)',
  '    at Array.map (<anonymous>)',
  '    at async Checkout.place [as run] (file:///app/src/checkout.ts:30:5)',
  '    at next (/app/node_modules/express/lib/router/route.js:149:13)',
  '    at handle (/app/node_modules/@scope/pkg/index.js:1:1)',
  '    at process.processTicksAndRejections (node:internal/process/task_queues:105:5)',
  '    at async file:///app/src/server.ts:7:1',
].join('\n');

function buildNode(step: Partial<Step>, parent?: StepNode): StepNode {
  return { step, parent, key: step.stepId } as unknown as StepNode;
}
const place = buildNode({ stepId: 'place', functionName: 'Checkout.place', filePath: 'src/checkout.ts' });
const taxFor = buildNode({ stepId: 'taxFor', functionName: 'taxFor', filePath: 'src/tax.ts' }, place);

it('lists the frames that name a place in code', () => {
  expect(listFrames(STACK).map(({ name, file, line }) => [name, file, line])).toEqual([
    ['taxFor', '/app/src/tax.ts', 18],
    ['async Checkout.place [as run]', '/app/src/checkout.ts', 30],
    ['next', '/app/node_modules/express/lib/router/route.js', 149],
    ['handle', '/app/node_modules/@scope/pkg/index.js', 1],
    ['process.processTicksAndRejections', 'node:internal/process/task_queues', 105],
    [undefined, '/app/src/server.ts', 7],
  ]);
});

it('gives each own frame the step of its call, and folds libraries and Node between two own frames', () => {
  const groups = groupFrames(STACK, taxFor);
  expect(
    groups.map((group) =>
      group.kind === 'folded' ? group.packages.join(', ') : group.kind === 'own' && group.node?.key,
    ),
  ).toEqual(['taxFor', 'place', 'express, @scope/pkg, Node.js', undefined]);
});

it('finds no step for a function of the same name in another file, or of another function in the same file', () => {
  const stack = 'Error\n    at taxFor (/app/lib/tax.ts:1:1)\n    at other (/app/src/tax.ts:2:1)';
  const nodes = groupFrames(stack, taxFor).map((group) => group.kind === 'own' && group.node);
  expect(nodes).toEqual([undefined, undefined]);
});

it('reads the stacks that this V8 writes', () => {
  class Till {
    pay() {
      return new Error('here');
    }
  }
  const [first] = listFrames(new Till().pay().stack ?? '');
  expect(first?.name).toBe('Till.pay');
  expect(first?.file).toMatch(/stack-frames\.test\.ts$/);
});

it('has no frames for a text that is no stack', () => {
  expect(listFrames('')).toEqual([]);
  expect(listFrames(`${'at '.repeat(100_000)}(`)).toEqual([]);
});

it('keeps the message of a cause between the frames, and leaves out the message above them', () => {
  const stack =
    'Error: outer\nsecond line\n    at a (/app/a.ts:1:1)\ncaused by: RangeError: inner\n    at b (/app/b.ts:2:1)\n';
  expect(
    groupFrames(stack, taxFor).map((group) => (group.kind === 'text' ? group.text : group.kind)),
  ).toEqual(['own', 'caused by: RangeError: inner', 'own']);
});
