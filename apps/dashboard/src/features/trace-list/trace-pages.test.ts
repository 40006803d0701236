import type { TraceRow, TraceSort } from '@throughline/contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  countFresh,
  countTotal,
  findFullBarDuration,
  listRows,
  type TracePages,
  withLiveRows,
} from './trace-pages.ts';

const at = (second: number) => new Date(second * 1000).toISOString();

/** A row whose start time, id and duration come from `second`. */
function row(second: number, change: Partial<TraceRow> = {}): TraceRow {
  return {
    _id: `id-${String(second).padStart(6, '0')}`,
    traceId: 'a'.repeat(32),
    projectId: 'p',
    request: { method: 'GET', path: '/', route: null },
    response: { statusCode: 200 },
    timing: { startTime: at(second), duration: second },
    error: { hasError: false, errorMessage: null, errorCode: null },
    service: 'shop',
    environment: '',
    release: '',
    userId: null,
    sessionId: null,
    country: null,
    instance: '',
    stepCount: 1,
    ...change,
  };
}

function pages(total: number, nextCursor: string | null, ...lists: number[][]): TracePages {
  return {
    pages: lists.map((list, index) => ({
      traces: list.map((at) => row(at)),
      total,
      nextCursor: index === lists.length - 1 ? nextCursor : 'c',
    })),
    pageParams: lists.map(() => undefined),
  };
}

const times = (list: TracePages) => listRows(list, 'time').map((each) => each.timing.duration);

describe('rows of the live feed', () => {
  it('are inserted at the top and counted', () => {
    const after = withLiveRows(pages(2, null, [5, 4]), [row(6), row(7)], 'time');
    expect(times(after)).toEqual([7, 6, 5, 4]);
    expect(countTotal(after, 'time')).toBe(4);
  });

  it('that started earlier than the newest rows are inserted in order of start time', () => {
    expect(times(withLiveRows(pages(2, null, [9, 4]), [row(6)], 'time'))).toEqual([9, 6, 4]);
  });

  it('that are already listed are replaced in place, and not counted again', () => {
    const after = withLiveRows(pages(3, null, [5, 4], [3]), [row(3, { stepCount: 40 })], 'time');
    expect(times(after)).toEqual([5, 4, 3]);
    expect(listRows(after, 'time').at(-1)?.stepCount).toBe(40);
    expect(countTotal(after, 'time')).toBe(3);
  });

  it('that belong to a page not yet loaded are only counted', () => {
    const after = withLiveRows(pages(9, 'c', [5, 4]), [row(2)], 'time');
    expect(times(after)).toEqual([5, 4]);
    expect(countTotal(after, 'time')).toBe(10);
  });

  it("are included in the list's total, which is the total of the page that was loaded last, or the number of listed rows if this number is higher", () => {
    const first = pages(4, 'c', [9, 8]).pages;
    const second = pages(9, 'd', [7, 6]).pages;
    expect(countTotal({ pages: [...first, ...second], pageParams: [undefined, 'c'] }, 'time')).toBe(9);
    expect(countTotal(pages(1, null, [3, 2, 1]), 'time')).toBe(3);
  });

  it('that arrive twice are listed once', () => {
    const after = withLiveRows(pages(0, null, []), [row(1), row(1, { stepCount: 2 })], 'time');
    expect(listRows(after, 'time').map((each) => each.stepCount)).toEqual([2]);
    expect(countTotal(after, 'time')).toBe(1);
  });

  it('do not change a list that is not loaded', () => {
    const none: TracePages = { pages: [], pageParams: [] };
    expect(withLiveRows(none, [row(1)], 'time')).toBe(none);
    expect(countTotal(none, 'time')).toBe(0);
  });

  it('are never duplicated, lost or unsorted, in any order of arrival', () => {
    const seconds = fc.array(fc.nat({ max: 60 }), { maxLength: 30 });
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.nat({ max: 60 }), { maxLength: 20 }),
        fc.array(seconds),
        (loaded, bursts) => {
          const start = pages(
            loaded.length,
            null,
            loaded.toSorted((a, b) => b - a),
          );
          const after = bursts.reduce(
            (list, burst) =>
              withLiveRows(
                list,
                burst.map((at) => row(at)),
                'time',
              ),
            start,
          );
          const expected = [...new Set([...loaded, ...bursts.flat()])].sort((a, b) => b - a);
          expect(times(after)).toEqual(expected);
          expect(countTotal(after, 'time')).toBe(expected.length);
        },
      ),
    );
  });
});

describe('a list that is sorted by', () => {
  const sorted = (sort: TraceSort, rows: readonly TraceRow[]): TracePages => {
    const list = { traces: [...rows], total: 9, nextCursor: 'more' };
    return withLiveRows({ pages: [list], pageParams: [undefined] }, ARRIVED, sort);
  };
  const ARRIVED = [
    row(1, { timing: { startTime: at(1), duration: 70 }, stepCount: 2 }),
    row(9, { timing: { startTime: at(9), duration: 2 }, stepCount: 70 }),
  ];
  const slow = row(5, { timing: { startTime: at(5), duration: 80 } });
  const quick = row(6, { timing: { startTime: at(6), duration: 60 } });
  const ids = (pages: TracePages, sort: TraceSort) => listRows(pages, sort).map(({ _id }) => _id);

  it('duration gets new rows in their sorted position, and only counts rows that belong to a later page', () => {
    const pages = sorted('duration', [slow, quick]);
    expect(ids(pages, 'duration')).toEqual([slow, row(1), quick].map(({ _id }) => _id));
    expect(countTotal(pages, 'duration')).toBe(11);
  });

  it('steps gets new rows in their sorted position; of rows with the same number of steps, the newest is first', () => {
    const many = { ...slow, stepCount: 80 };
    const few = { ...quick, stepCount: 70 };
    expect(ids(sorted('steps', [many, few]), 'steps')).toEqual([many, row(9), few].map(({ _id }) => _id));
  });

  it('steps moves a row whose number of steps grew', () => {
    const pages: TracePages = {
      pages: [{ traces: [row(3, { stepCount: 8 }), row(1, { stepCount: 1 })], total: 2, nextCursor: null }],
      pageParams: [undefined],
    };
    const after = withLiveRows(pages, [row(1, { stepCount: 9 })], 'steps');
    expect(ids(after, 'steps')).toEqual([row(1), row(3)].map(({ _id }) => _id));
  });
});

it('rows of the live feed that are not listed yet are counted, each row once', () => {
  expect(countFresh(pages(1, null, [5]), [row(5), row(6), row(6)])).toBe(1);
  expect(countFresh(undefined, [row(1)])).toBe(1);
});

describe('the duration of a full bar', () => {
  it.each([
    [[], 0],
    [[7], 7],
    [Array.from({ length: 100 }, (_, i) => i + 1), 99],
  ])("for the rows' durations %j is %d", (durations, scale) => {
    expect(findFullBarDuration(durations.map((at) => row(at)))).toBe(scale);
  });
});
