import { formatCount, type OverviewAnalytics, type Tone } from '@throughline/contract';
import { BarsChart } from '../../visuals/plots/bars-chart.tsx';

/** The bands that analytics tell apart, and what is in none of them. */
const BANDS: readonly { readonly statusClass: number; readonly label: string; readonly tone: Tone }[] = [
  { statusClass: 2, label: '2xx', tone: 'green' },
  { statusClass: 3, label: '3xx', tone: 'amber' },
  { statusClass: 4, label: '4xx', tone: 'red' },
];
const OTHER = { label: 'Other', tone: 'darkRed' } as const;

/** How many requests were answered in which way. */
export function StatusClasses({ statusClasses }: Pick<OverviewAnalytics, 'statusClasses'>) {
  const countOf = (wanted: number) =>
    statusClasses.reduce((sum, { statusClass, count }) => sum + (statusClass === wanted ? count : 0), 0);
  const all = statusClasses.reduce((sum, { count }) => sum + count, 0);
  const bands = BANDS.map(({ statusClass, label, tone }) => ({ label, tone, count: countOf(statusClass) }));
  const known = bands.reduce((sum, { count }) => sum + count, 0);
  const rows = [...bands, { ...OTHER, count: all - known }];
  return (
    <BarsChart
      label="Responses by status"
      rows={rows.map(({ label, tone, count }) => ({
        key: label,
        label,
        value: count,
        text: formatCount(count),
        look: { tone },
      }))}
      table={{
        columns: [{ name: 'Status' }, { name: 'Requests', write: formatCount }],
        rows: rows.map(({ label, count }) => [label, count]),
      }}
    />
  );
}
