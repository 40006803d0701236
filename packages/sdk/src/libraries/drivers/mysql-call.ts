import { isMethod, readOwnValue } from '../../internal/foreign.ts';

/**
 * Reads the statement and its bound values from the arguments of `query` or `execute`, which are the same in `mysql` and `mysql2`. Calls no
 * getter of the host.
 */
export function readMysqlCall([asked, values]: readonly unknown[]): {
  readonly text: string | undefined;
  readonly values: readonly unknown[] | undefined;
} {
  const text = typeof asked === 'string' ? asked : readOwnValue(asked, 'sql');
  return {
    text: typeof text === 'string' ? text : undefined,
    values: listValues(values) ?? listValues(readOwnValue(asked, 'values')),
  };
}

/** Lists the bound values. A single value can be passed without a list. */
function listValues(values: unknown): readonly unknown[] | undefined {
  if (Array.isArray(values)) return values;
  return values === undefined || isMethod(values) ? undefined : [values];
}
