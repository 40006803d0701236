import type { Step } from '@throughline/contract';
import { describe, expect, it } from 'vitest';
import { aForest, aStep, ran } from '../../../visuals/steps/step.fixture.ts';
import { findHandling } from './find-handling.ts';

type Written = readonly [id: string, parent: string | null, fromMs: number, toMs: number, failed?: 'failed'];

/** Returns how the failure of the step `boom` was handled: `by` is the step that caught it, and `retry` the later call that succeeded. */
function handlingOfBoom(flow: readonly Written[]) {
  const forest = aForest(
    flow.map(
      ([stepId, parentStepId, fromMs, toMs, failed]): Step =>
        aStep(stepId, {
          parentStepId,
          ...ran(fromMs, toMs - fromMs),
          error: failed === undefined ? null : { message: 'no' },
        }),
    ),
  );
  const boom = forest.byId.get('boom');
  const found = boom && findHandling(boom);
  return found && { by: found.catcher.key, retry: found.retry?.key };
}

describe('an error', () => {
  it('is handled by the nearest caller that did not fail', () => {
    const flow: Written[] = [
      ['handler', null, 0, 20],
      ['load', 'handler', 1, 10],
      ['parse', 'load', 2, 9, 'failed'],
      ['boom', 'parse', 3, 8, 'failed'],
    ];
    expect(handlingOfBoom(flow)).toEqual({ by: 'load', retry: undefined });
  });

  it('is handled by a caller that called the failed function again with success', () => {
    const flow: Written[] = [
      ['pay', null, 0, 30],
      ['boom', 'pay', 1, 5, 'failed'],
      ['boom2', 'pay', 6, 10, 'failed'],
      ['boom3', 'pay', 11, 15],
    ];
    expect(handlingOfBoom(flow)).toEqual({ by: 'pay', retry: 'boom3' });
  });

  it('is handled without a retry if the other call of the same function ran in parallel', () => {
    const flow: Written[] = [
      ['both', null, 0, 30],
      ['boom1', 'both', 1, 15],
      ['boom', 'both', 2, 5, 'failed'],
    ];
    expect(handlingOfBoom(flow)).toEqual({ by: 'both', retry: undefined });
  });

  it('is not handled by a caller that had ended before the error occurred', () => {
    const flow: Written[] = [
      ['handler', null, 0, 20],
      ['service', 'handler', 1, 1.2],
      ['boom', 'service', 1.1, 9, 'failed'],
    ];
    expect(handlingOfBoom(flow)).toEqual({ by: 'handler', retry: undefined });
  });

  it('has no known handler if all callers failed or had ended', () => {
    expect(handlingOfBoom([['boom', null, 0, 9, 'failed']])).toBeUndefined();
    expect(
      handlingOfBoom([
        ['listener', null, 0, 1],
        ['boom', 'listener', 0.5, 9, 'failed'],
      ]),
    ).toBeUndefined();
  });
});
