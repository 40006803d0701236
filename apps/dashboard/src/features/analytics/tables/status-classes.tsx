import { formatCount, type OverviewAnalytics, type Tone } from '@throughline/contract';
import type { TraceFilterParams } from '../../../shell/url-state/search-params.ts';
import { BarsChart } from '../../../visuals/plots/bars/bars-chart.tsx';
import type { Scope } from '../data/scope.ts';
import { buildScopeSearch } from './trace-links.ts';
import { DrawnTracesLink } from './traces-link.tsx';

/** The status classes with their own bar; all other requests are counted in `OTHER`. */
const BANDS: readonly {
  readonly statusClass: number;
  readonly key: NonNullable<TraceFilterParams['statusClass']>;
  readonly label: string;
  readonly tone: Tone;
}[] = [
  { statusClass: 2, key: '2xx', label: '2xx', tone: 'green' },
  { statusClass: 3, key: '3xx', label: '3xx', tone: 'amber' },
  { statusClass: 4, key: '4xx', label: '4xx', tone: 'red' },
];
const OTHER = { key: 'other', label: 'Other', tone: 'darkRed' } as const;

interface StatusClassesProps extends Pick<OverviewAnalytics, 'statusClasses'> {
  readonly scope: Scope;
}

/** The number of requests per status class. */
export function StatusClasses({ statusClasses, scope }: StatusClassesProps) {
  const countResponses = (wanted: number) =>
    statusClasses.reduce((sum, { statusClass, count }) => sum + (statusClass === wanted ? count : 0), 0);
  const all = statusClasses.reduce((sum, { count }) => sum + count, 0);
  const bands = BANDS.map(({ statusClass, ...band }) => ({ ...band, count: countResponses(statusClass) }));
  const known = bands.reduce((sum, { count }) => sum + count, 0);
  const rows = [...bands, { ...OTHER, count: all - known }];
  return (
    <BarsChart
      label="Responses by status"
      rows={rows.map(({ key, label, tone, count }) => ({
        key,
        label,
        value: count,
        text: formatCount(count),
        look: { tone },
      }))}
      table={{
        columns: [{ name: 'Status' }, { name: 'Requests', write: formatCount }],
        rows: rows.map(({ label, count }) => [label, count]),
      }}
      link={(bar, drawn) => {
        const row = rows.find(({ key }) => key === bar.key);
        return (
          <DrawnTracesLink
            search={row && row.count > 0 ? buildScopeSearch(scope, { statusClass: row.key }) : undefined}
          >
            {drawn}
          </DrawnTracesLink>
        );
      }}
    />
  );
}
