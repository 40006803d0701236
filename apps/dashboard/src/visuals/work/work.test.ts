import { describe, expect, it } from 'vitest';
import { each, nextTurn, runWithoutPauses, runWithPauses, type Work } from './work.ts';

function* sumNumbers(numbers: readonly number[]): Work<number> {
  let sum = 0;
  yield* each(numbers, (number) => {
    sum += number;
  });
  return sum;
}

/** Runs for about this long, and can pause every millisecond. */
function* busyFor(totalMs: number): Work<number> {
  for (let ms = 0; ms < totalMs; ms += 1) {
    const until = performance.now() + 1;
    while (performance.now() < until);
    yield;
  }
  return totalMs;
}

const numbers = Array.from({ length: 10_000 }, (_, index) => index);

describe('work that can be paused', () => {
  it('has the same result whether it runs in one time slice or in several', async () => {
    expect(runWithoutPauses(sumNumbers(numbers))).toBe(49_995_000);
    expect(await runWithPauses(sumNumbers(numbers))).toBe(49_995_000);
  });

  it('includes items that are added during the work', () => {
    const items = [3];
    runWithoutPauses(
      each(items, (item) => {
        if (item > 0) items.push(item - 1);
      }),
    );
    expect(items).toEqual([3, 2, 1, 0]);
  });

  it('lets other tasks run before it ends', async () => {
    const order: string[] = [];
    const work = runWithPauses(busyFor(100)).then(() => order.push('work'));
    await nextTurn();
    order.push('other');
    await work;
    expect(order).toEqual(['other', 'work']);
  });

  it('rejects with the abort reason', async () => {
    const given = new AbortController();
    const work = runWithPauses(busyFor(200), given.signal);
    given.abort(new Error('left'));
    await expect(work).rejects.toThrow('left');
  });

  it('rejects with the error that the work throws', async () => {
    // biome-ignore lint/correctness/useYield: this work fails before its first pause
    function* failing(): Work<never> {
      throw new Error('broken');
    }
    await expect(runWithPauses(failing())).rejects.toThrow('broken');
    expect(() => runWithoutPauses(failing())).toThrow('broken');
  });
});
