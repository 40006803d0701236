import { writeTerm } from '@throughline/contract';
import type { ViewChange } from '../../../shell/url-state/search-params.ts';

/** The URL parameters that can select the traces of a row, and their fields in the filter language. More specific parameters come first. */
const ROW_PARAMS = [
  ['user', 'user'],
  ['stepName', 'step'],
  ['feature', 'feature'],
  ['endpoint', 'endpoint'],
  ['service', 'service'],
] as const;

interface RowFilter {
  readonly value: string;
  readonly term: string;
  /** The URL parameters of the row's traces without the parameters that select the row. */
  readonly others: ViewChange;
}

/**
 * Finds the filter term that selects a row's traces, for a link to all other traces. Returns undefined if the filter language cannot
 * exclude the row's traces.
 */
export function findRowFilter(search: ViewChange): RowFilter | undefined {
  // The parameters `dependency` and `caller` select the requests that called a dependency, or came from a calling service. The filter
  // language has no term that excludes such requests.
  if (search.dependency !== undefined || search.caller !== undefined) return undefined;
  for (const [param, field] of ROW_PARAMS) {
    const value = search[param];
    if (value === undefined) continue;
    // A step without a name has an empty value. Then no later entry of `ROW_PARAMS` is tried, because it would select the traces of all
    // rows, not only of this row.
    if (typeof value !== 'string' || value === '') return undefined;
    const { [param]: _value, method, stepType, ...others } = search;
    return {
      value,
      term: writeTerm(field, value, false).text,
      // `others` leaves out the method of an endpoint and the type of a step, because the method and the type also identify the row.
      others: {
        ...others,
        ...(param !== 'endpoint' && { method }),
        ...(param !== 'stepName' && { stepType }),
      },
    };
  }
  return undefined;
}
