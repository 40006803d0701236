import { z } from 'zod';
import type { Loaded } from './load.ts';
import { type Get, type MeasuredCall, pick } from './rows.ts';

const Errors = z.object({
  errors: z.array(z.object({ id: z.string(), count: z.number() })),
  isAll: z.boolean(),
});
const Detail = z.object({ detail: z.object({ error: z.object({ count: z.number() }) }) });

/** The ranges of the Errors page, in days. `row` is the analytics screen whose target time applies to the range. */
const RANGES = [
  { days: 7, row: 'each analytics screen, 7 days' },
  { days: 30, row: 'each analytics screen, 30 days' },
] as const;

/** Builds the requests of the Errors page: the list in several orders, a search, and each part of an error's page. */
export async function errorCalls({ projectId }: Loaded, get: Get): Promise<MeasuredCall[]> {
  const base = `/api/projects/${projectId}/errors`;
  const { errors } = Errors.parse(await get(`${base}?days=30&state=all&sort=count`));
  /** The range begins a minute later in each repetition of a request (`turn`), so that no response comes from a cache. */
  const range = (days: number, turn: number) =>
    `startDate=${new Date(Date.now() - days * 86_400_000 + turn * 60_000).toISOString()}`;
  const list = (name: string, query: string): MeasuredCall[] =>
    RANGES.map(({ days, row }) => ({
      name: `errors, ${name}, ${days} days`,
      row,
      path: (turn) => `${base}?${range(days, turn)}&state=all${query}`,
      check: (answer) => {
        if (Errors.parse(answer).errors.length === 0) throw new Error('no error is listed');
      },
    }));
  return [
    ...list('newest first', ''),
    ...list('most users first', '&sort=users'),
    ...list('search', '&search=get'),
    ...RANGES.flatMap(({ days, row }): MeasuredCall[] => [
      {
        name: `one error, ${days} days`,
        row,
        path: (turn) => `${base}/${pick(errors, turn).id}?${range(days, turn)}`,
        check: (answer) => {
          if (Detail.parse(answer).detail.error.count === 0) throw new Error('no request has the error');
        },
      },
      {
        name: `an error's requests compared with successful ones, ${days} days`,
        row,
        path: (turn) => `${base}/${pick(errors, turn).id}/comparison?${range(days, turn)}`,
        check: (answer) => {
          if (Comparison.parse(answer).comparison.others === 0)
            throw new Error('no successful request is compared');
        },
      },
      {
        name: `the function that threw an error, ${days} days`,
        row,
        path: (turn) => `${base}/${pick(errors, turn).id}/throwing-function?${range(days, turn)}`,
        check: (answer) => void Throwing.parse(answer),
      },
    ]),
  ];
}

const Comparison = z.object({ comparison: z.object({ others: z.number() }) });
const Throwing = z.object({ throwing: z.object({}).nullable() });
