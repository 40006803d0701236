import { Table } from '@mantine/core';
import { formatCount, type TraceRow } from '@throughline/contract';
import { escapeControlCharacters } from '@throughline/contract/captured';
import { DurationText, MethodBadge, StatusBadge } from '../../ui/layout/badges.tsx';
import { AnchorLink } from '../../ui/layout/links.tsx';
import { WideTable } from '../../ui/tables/wide-table.tsx';
import { Timestamp } from '../../ui/time/timestamp.tsx';
import classes from './public-frame.module.css';

/** Table of a public project's requests; each row links to the request's page. */
export function PublicTraces({ rows }: { readonly rows: readonly TraceRow[] }) {
  return (
    <WideTable label="All traces" minWidth={560}>
      <Table aria-label="Traces" verticalSpacing={6} highlightOnHover>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Method</Table.Th>
            <Table.Th>Route</Table.Th>
            <Table.Th>Status</Table.Th>
            <Table.Th>Duration</Table.Th>
            <Table.Th>Timestamp</Table.Th>
            <Table.Th>Steps</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map(({ _id, request, response, error, timing, stepCount }) => (
            <Table.Tr key={_id}>
              <Table.Td>
                <MethodBadge method={escapeControlCharacters(request.method)} />
              </Table.Td>
              <Table.Td className={classes.path}>
                <AnchorLink to="/traces/$id" params={{ id: _id }} size="sm" className="mono">
                  {escapeControlCharacters(request.path)}
                </AnchorLink>
              </Table.Td>
              <Table.Td>
                <StatusBadge statusCode={response.statusCode} hasError={error.hasError} />
              </Table.Td>
              <Table.Td>
                <DurationText ms={timing.duration} />
              </Table.Td>
              <Table.Td>
                <Timestamp at={timing.startTime} />
              </Table.Td>
              <Table.Td className="figures">{formatCount(stepCount)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </WideTable>
  );
}
