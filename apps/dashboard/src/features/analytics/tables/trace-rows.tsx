import { isErrorTrace, shortenTraceId, type TraceRow } from '@throughline/contract';
import { escapeControlCharacters } from '@throughline/contract/captured';
import { DurationText, StatusBadge } from '../../../ui/layout/badges.tsx';
import { AnchorLink } from '../../../ui/layout/links.tsx';
import { Timestamp } from '../../../ui/time/timestamp.tsx';
import { RankTable } from './rank-table.tsx';

interface TraceRowsProps {
  /** The list's accessible name, such as "Recent Traces". */
  readonly label: string;
  readonly traces: readonly TraceRow[];
}

/** A list of traces, each of which can be opened. */
export function TraceRows({ label, traces }: TraceRowsProps) {
  return (
    <RankTable
      label={label}
      rows={traces}
      getKey={({ _id }) => _id}
      empty="No traces in this range"
      columns={[
        {
          name: 'Endpoint',
          kind: 'text',
          value: ({ request }) => `${request.method} ${request.path}`,
          cell: ({ _id, projectId, request }) => (
            <AnchorLink to="/traces/$id" params={{ id: _id }} search={{ project: projectId }} inherit>
              <span className="mono">{escapeControlCharacters(`${request.method} ${request.path}`)}</span>
            </AnchorLink>
          ),
        },
        {
          name: 'Trace ID',
          searched: ({ traceId }) => traceId,
          cell: ({ traceId }) => <span className="mono">{shortenTraceId(traceId)}</span>,
        },
        {
          name: 'Status',
          kind: 'text',
          value: ({ response }) => (response.statusCode === null ? null : String(response.statusCode)),
          cell: ({ response, error }) => (
            <StatusBadge statusCode={response.statusCode} hasError={error.hasError} />
          ),
        },
        {
          name: 'Duration',
          kind: 'number',
          value: ({ timing }) => timing.duration,
          cell: ({ timing }) => <DurationText ms={timing.duration} />,
        },
        {
          name: 'Timestamp',
          kind: 'time',
          value: ({ timing }) => Date.parse(timing.startTime),
          cell: ({ timing }) => <Timestamp at={timing.startTime} />,
        },
        {
          name: 'Result',
          kind: 'text',
          value: describeResult,
          cell: describeResult,
        },
      ]}
    />
  );
}

function describeResult({ response, error }: TraceRow): string {
  return isErrorTrace(response.statusCode, error.hasError) ? 'Error' : 'Success';
}
