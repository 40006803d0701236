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

it('a stack lists the frames that have a file and a line', () => {
  expect(listFrames(STACK).map(({ name, file, line }) => [name, file, line])).toEqual([
    ['taxFor', '/app/src/tax.ts', 18],
    ['async Checkout.place [as run]', '/app/src/checkout.ts', 30],
    ['next', '/app/node_modules/express/lib/router/route.js', 149],
    ['handle', '/app/node_modules/@scope/pkg/index.js', 1],
    ['process.processTicksAndRejections', 'node:internal/process/task_queues', 105],
    [undefined, '/app/src/server.ts', 7],
  ]);
});

it('each frame of the project is linked to the step of its call, and frames of libraries and Node between such frames are folded', () => {
  const groups = groupFrames(STACK, taxFor);
  expect(
    groups.map((group) =>
      group.kind === 'folded' ? group.packages.join(', ') : group.kind === 'own' && group.node?.key,
    ),
  ).toEqual(['taxFor', 'place', 'express, @scope/pkg, Node.js', undefined]);
});

it("all frames of the project show their files' paths within the project", () => {
  const listPaths = (stack: string) =>
    groupFrames(stack, taxFor).flatMap((group) => (group.kind === 'own' ? [group.path] : []));
  expect(listPaths(STACK)).toEqual(['src/tax.ts', 'src/checkout.ts', 'src/server.ts']);
  const elsewhere = 'Error\n    at taxFor (/app/src/tax.ts:1:1)\n    at run (/home/run.js:2:1)';
  expect(listPaths(elsewhere)).toEqual(['src/tax.ts', '/home/run.js']);
  expect(listPaths('Error\n    at run (/home/run.js:2:1)')).toEqual(['/home/run.js']);
});

it('a frame is not linked to a step if only the function name or only the file is the same', () => {
  const stack = 'Error\n    at taxFor (/app/lib/tax.ts:1:1)\n    at other (/app/src/tax.ts:2:1)';
  const nodes = groupFrames(stack, taxFor).map((group) => group.kind === 'own' && group.node);
  expect(nodes).toEqual([undefined, undefined]);
});

it('stacks of the running V8 are parsed', () => {
  class Till {
    pay() {
      return new Error('here');
    }
  }
  const [first] = listFrames(new Till().pay().stack ?? '');
  expect(first?.name).toBe('Till.pay');
  expect(first?.file).toMatch(/stack-frames\.test\.ts$/);
});

it('a string that is not a stack has no frames', () => {
  expect(listFrames('')).toEqual([]);
  expect(listFrames(`${'at '.repeat(100_000)}(`)).toEqual([]);
});

it("a stack shows the message of a cause between its frames, but not the error's own message", () => {
  const stack =
    'Error: outer\nsecond line\n    at a (/app/a.ts:1:1)\ncaused by: RangeError: inner\n    at b (/app/b.ts:2:1)\n';
  expect(
    groupFrames(stack, taxFor).map((group) => (group.kind === 'text' ? group.text : group.kind)),
  ).toEqual(['own', 'caused by: RangeError: inner', 'own']);
});
