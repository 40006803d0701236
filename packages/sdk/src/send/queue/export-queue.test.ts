import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Batch, splitBatch } from './batch.ts';
import { ExportQueue } from './export-queue.ts';

/** Adds a trace. Each of its bytes is the number of the trace. */
const add = (queue: ExportQueue, sequence: number, bytes: number) =>
  queue.add(Buffer.alloc(bytes, sequence), sequence);

function expectIntact({ traces }: Batch): void {
  for (const { json, sequence } of traces)
    expect(Buffer.alloc(json.length, sequence).equals(json)).toBe(true);
}

describe('the export queue', () => {
  it('drops the oldest traces first, but no trace that is being sent', () => {
    const queue = new ExportQueue();
    add(queue, 1, 600_000);
    add(queue, 2, 600_000);
    const first = queue.take();
    expect(first?.traces.map((one) => one.sequence)).toEqual([1]);
    add(queue, 3, 600_000);
    expect(queue.shrinkTo(1_300_000)).toBe(1);
    expect(queue.isDoneUpTo(1)).toBe(false);
    const second = queue.take();
    expect(second?.traces.map((one) => one.sequence)).toEqual([3]);
    expect(queue.shrinkTo(0)).toBe(0);
  });

  it('contains exactly the same traces as a plain list, in the same order, whatever the outcome of the batches', () => {
    const action = fc.oneof(
      { weight: 4, arbitrary: fc.record({ add: fc.integer({ min: 1, max: 150_000 }) }) },
      fc.record({ add: fc.integer({ min: 1, max: 700_000 }) }),
      { weight: 4, arbitrary: fc.constantFrom('take', 'stored', 'retry', 'split', 'shrink') },
    );
    fc.assert(
      fc.property(fc.array(action, { maxLength: 60, size: 'max' }), (actions) => {
        const queue = new ExportQueue();
        // The expected state: the numbers of the traces in each batch, and of the traces that are not in a batch.
        const underWay: { readonly batch: Batch; readonly numbers: readonly number[] }[] = [];
        let waiting: (readonly number[])[] = [];
        const queued: number[] = [];
        const sizes = [0];
        const measure = (numbers: readonly number[]) =>
          numbers.reduce((sum, number) => sum + (sizes[number] ?? 0), 0);
        const listHeld = () => [...underWay.flatMap(({ numbers }) => numbers), ...waiting.flat(), ...queued];
        for (const what of actions) {
          if (typeof what === 'object') {
            queued.push(sizes.length);
            sizes.push(what.add);
            add(queue, sizes.length - 1, what.add);
          } else if (what === 'take') {
            const batch = queue.take();
            const next = waiting.shift();
            // A new batch must contain the oldest traces, up to 1 MB together, but at least one.
            let count = Math.min(1, queued.length);
            while (count < queued.length && measure(queued.slice(0, count + 1)) <= 1024 * 1024) count += 1;
            const numbers = next ?? queued.splice(0, count);
            expect(batch?.traces.map(({ sequence }) => sequence) ?? []).toEqual(numbers);
            if (batch) underWay.push({ batch, numbers });
          } else if (what === 'shrink') {
            const before = listHeld().length;
            while (measure(listHeld()) > 1_000_000 && waiting.length + queued.length > 0)
              if (waiting.shift() === undefined) queued.shift();
            expect(queue.shrinkTo(1_000_000)).toBe(before - listHeld().length);
          } else {
            const settled = underWay.shift();
            if (!settled) continue;
            const { batch, numbers } = settled;
            expectIntact(batch);
            const middle = Math.ceil(numbers.length / 2);
            const halves =
              what === 'split' && numbers.length > 1 ? [numbers.slice(0, middle), numbers.slice(middle)] : [];
            waiting = [...(what === 'retry' ? [numbers] : halves), ...waiting];
            queue.settle(batch, what === 'retry' ? [batch] : what === 'split' ? splitBatch(batch) : []);
          }
          expect(queue.bytes).toBe(measure(listHeld()));
          expect(queue.isEmpty).toBe(listHeld().length === 0);
        }
        const expected = listHeld();
        const left = queue.takeAll();
        left.forEach(expectIntact);
        expect(left.flatMap((batch) => batch.traces.map((one) => one.sequence))).toEqual(expected);
        expect(new Set(left.map((batch) => batch.key)).size).toBe(left.length);
        expect(queue.bytes).toBe(0);
        expect(queue.isEmpty).toBe(true);
      }),
      { numRuns: 40 },
    );
  });
});
