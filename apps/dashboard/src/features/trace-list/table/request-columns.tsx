import { chooseDurationTone, formatCount, shortenTraceId, type TraceRow } from '@throughline/contract';
import { escapeControlCharacters } from '@throughline/contract/captured';
import type { CSSProperties } from 'react';
import { formatToneColour } from '../../../shell/theme/tones.ts';
import type { TraceFilterParams } from '../../../shell/url-state/search-params.ts';
import { DurationText, MethodBadge, StatusBadge } from '../../../ui/layout/badges.tsx';
import { Timestamp } from '../../../ui/time/timestamp.tsx';
import { formatCountry } from '../filters/country-name.ts';
import type { TraceColumn } from './columns.ts';
import classes from './trace-table.module.css';

/** The columns about the request, which every list of traces offers. */
export const REQUEST_COLUMNS: readonly TraceColumn[] = [
  {
    id: 'method',
    name: 'Method',
    width: '84px',
    cell: ({ request }) => (
      <td className={classes.method}>
        <MethodBadge method={escapeControlCharacters(request.method)} />
      </td>
    ),
  },
  {
    id: 'path',
    name: 'Path',
    width: 'minmax(112px, 1fr)',
    cell: ({ request: { path, route } }) => (
      <td className={classes.path}>
        <span className={classes.pathText} title={escapeControlCharacters(path)}>
          {escapeControlCharacters(path)}
        </span>
        {route !== null && route !== path && (
          <span className={classes.route} title={escapeControlCharacters(`Route ${route}`)}>
            {escapeControlCharacters(route)}
          </span>
        )}
      </td>
    ),
  },
  {
    id: 'status',
    name: 'Status',
    width: '76px',
    cell: ({ response, error }) => (
      <td className={classes.status}>
        <StatusBadge statusCode={response.statusCode} hasError={error.hasError} />
      </td>
    ),
  },
  {
    id: 'duration',
    name: 'Duration',
    sort: 'duration',
    width: 'minmax(76px, 148px)',
    cell: ({ timing: { duration } }, scaleMs) => (
      <td className={classes.duration} style={buildBar(duration, scaleMs)}>
        <DurationText ms={duration} />
      </td>
    ),
  },
  {
    id: 'timestamp',
    name: 'Timestamp',
    sort: 'time',
    width: '116px',
    cell: ({ timing }) => (
      <td className={classes.time}>
        <Timestamp at={timing.startTime} />
      </td>
    ),
  },
  {
    id: 'steps',
    name: 'Steps',
    sort: 'steps',
    width: '64px',
    numeric: true,
    cell: ({ stepCount }) => (
      <td className={classes.steps} data-unit={stepCount === 1 ? 'step' : 'steps'}>
        {formatCount(stepCount)}
      </td>
    ),
  },
  {
    id: 'traceId',
    name: 'Trace ID',
    width: '76px',
    cell: ({ traceId }) => (
      <td className={classes.traceId} title={traceId}>
        {shortenTraceId(traceId)}
      </td>
    ),
  },
  buildTextColumn('service', 'Service', ({ service }) => service),
  buildTextColumn('environment', 'Environment', ({ environment }) => environment),
  buildTextColumn('release', 'Release', ({ release }) => release),
  buildTextColumn('user', 'User', ({ userId }) => userId ?? '–'),
  buildTextColumn('session', 'Session', ({ sessionId }) => sessionId ?? '–'),
  buildTextColumn('country', 'Country', ({ country }) => (country === null ? '–' : formatCountry(country))),
  buildTextColumn('instance', 'Instance', ({ instance }) => instance || '–'),
  buildTextColumn('error', 'Error', ({ error }) => error.errorMessage ?? ''),
];

/** The column that a list adds while a filter is set. For example, the filter `user` adds the column User. */
export const COLUMN_OF_FILTER: { readonly [Name in keyof TraceFilterParams]?: string } = {
  users: 'user',
  user: 'user',
  session: 'session',
  country: 'country',
  instance: 'instance',
};

/** Draws the duration bar as the cell's background: rows are rendered while the list scrolls, and each additional element costs time. */
function buildBar(durationMs: number, scaleMs: number): CSSProperties {
  const part = scaleMs > 0 ? Math.min(1, durationMs / scaleMs) : 0;
  return {
    color: formatToneColour(chooseDurationTone(durationMs), 'fill'),
    backgroundSize: `max(2px, ${part.toFixed(3)} * (100% - 72px)) 8px`,
  };
}

function buildTextColumn(id: string, name: string, getText: (row: TraceRow) => string): TraceColumn {
  return {
    id,
    name,
    width: 'minmax(72px, 0.4fr)',
    ownLine: true,
    cell: (row) => {
      const text = escapeControlCharacters(getText(row));
      return (
        <td className={classes.text} title={text} data-name={name}>
          {text}
        </td>
      );
    },
  };
}
