import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Batch, splitBatch } from './batch.ts';
import { ExportQueue } from './export-queue.ts';

/** Each byte contains the number of its trace. */
const add = (queue: ExportQueue, sequence: number, bytes: number) =>
  queue.add(Buffer.alloc(bytes, sequence), sequence);

function expectIntact({ traces }: Batch): void {
  for (const { json, sequence } of traces)
    expect(Buffer.alloc(json.length, sequence).equals(json)).toBe(true);
}

describe('the export queue', () => {
  it('drops the oldest traces first, but no traces that are being sent', () => {
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

  it('neither loses nor duplicates a trace, whatever the outcome of the batches', () => {
    const action = fc.oneof(
      fc.record({ add: fc.oneof(fc.integer({ min: 1, max: 60_000 }), fc.integer({ min: 1, max: 700_000 })) }),
      fc.constantFrom('take', 'stored', 'retry', 'split', 'shrink'),
    );
    fc.assert(
      fc.property(fc.array(action, { maxLength: 60 }), (actions) => {
        const queue = new ExportQueue();
        const underWay: Batch[] = [];
        let added = 0;
        let stored = 0;
        let lost = 0;
        for (const what of actions) {
          if (typeof what === 'object') {
            added++;
            add(queue, added, what.add);
          } else if (what === 'take') {
            const batch = queue.take();
            if (batch) underWay.push(batch);
          } else if (what === 'shrink') {
            lost += queue.shrinkTo(1_000_000);
            const held = underWay.reduce((sum, batch) => sum + batch.bytes, 0);
            expect(queue.bytes).toBeLessThanOrEqual(Math.max(1_000_000, held));
          } else {
            const batch = underWay.shift();
            if (!batch) continue;
            expectIntact(batch);
            const halves = what === 'split' ? splitBatch(batch) : [];
            if (what === 'stored' || (what === 'split' && halves.length === 0)) stored += batch.traces.length;
            queue.settle(batch, what === 'retry' ? [batch] : halves);
          }
        }
        const left = queue.takeAll();
        left.forEach(expectIntact);
        const all = left.flatMap((batch) => batch.traces.map((one) => one.sequence));
        expect(new Set(all).size).toBe(all.length);
        expect(all.length + stored + lost).toBe(added);
        expect(new Set(left.map((batch) => batch.key)).size).toBe(left.length);
        expect(queue.bytes).toBe(0);
        expect(queue.isEmpty).toBe(true);
      }),
    );
  });
});
