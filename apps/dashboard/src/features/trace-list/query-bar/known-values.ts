import type { AnalyticsFilters, TraceFacets, TraceRow } from '@throughline/contract';

/** The data from which the query field takes the values that it offers: the facets, filter values and listed traces of a project. */
export interface KnownValues {
  readonly facets: TraceFacets | undefined;
  /** The services, environments and releases of a single project. */
  readonly project: AnalyticsFilters | undefined;
  readonly rows: readonly TraceRow[];
}

/** Longer messages are cut: the beginning is enough to find a message, and the list has no space for more. */
const MAX_MESSAGE = 120;

/** Lists the values to offer for a field, the most frequent first if frequencies are known. */
export function listKnownValues(field: string, { facets, project, rows }: KnownValues): readonly string[] {
  const ofRows = (read: (row: TraceRow) => string | null) => countValues(rows.map(read));
  switch (field) {
    case 'status':
      return (facets?.statusCodes ?? []).flatMap(({ statusCode }) =>
        statusCode === null ? [] : [String(statusCode)],
      );
    case 'method':
      return (facets?.methods ?? []).map(({ method }) => method);
    case 'route':
      return (facets?.paths ?? []).flatMap(({ route }) => (route === null ? [] : [route]));
    case 'service':
      return [...withoutEmpty(project?.services), ...ofRows(({ service }) => service)];
    case 'caller':
      return [...withoutEmpty(project?.services), ...ofRows(({ service }) => service)];
    case 'environment':
      return [...withoutEmpty(project?.environments), ...ofRows(({ environment }) => environment)];
    case 'release':
      return [...withoutEmpty(project?.releases), ...ofRows(({ release }) => release)];
    case 'user':
      return ofRows(({ userId }) => userId);
    case 'session':
      return ofRows(({ sessionId }) => sessionId);
    case 'country':
      return ofRows(({ country }) => country);
    case 'error':
      return ofRows(({ error }) => error.errorMessage?.slice(0, MAX_MESSAGE) ?? null);
    default:
      return [];
  }
}

function withoutEmpty(values: readonly string[] = []): readonly string[] {
  return values.filter((value) => value !== '');
}

function countValues(values: readonly (string | null)[]): readonly string[] {
  const counts = new Map<string, number>();
  for (const value of values) {
    if (value !== null && value !== '') counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  return [...counts].sort(([, one], [, other]) => other - one).map(([value]) => value);
}
