import { ScrollArea, Table } from '@mantine/core';
import { formatCell, formatHead, type PlotTable } from './plot-table.ts';

/** The height of a chart; longer tables scroll. Pixels. */
const MAX_PX = 280;

/** Shows a chart's data as a table. */
export function PlotTableView({ label, table }: { readonly label: string; readonly table: PlotTable }) {
  return (
    <ScrollArea.Autosize mah={MAX_PX} viewportProps={{ tabIndex: 0, role: 'region', 'aria-label': label }}>
      <Table stickyHeader verticalSpacing={4} className="figures" aria-label={`${label}, as a table`}>
        <Table.Thead>
          <Table.Tr>
            {table.columns.map((column, place) => (
              <Table.Th key={column.name} ta={place === 0 ? 'left' : 'right'}>
                {formatHead(column)}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {table.rows.map((row) => (
            <Table.Tr key={row.join('\n')}>
              {table.columns.map((column, place) => (
                <Table.Td key={column.name} ta={place === 0 ? 'left' : 'right'}>
                  {formatCell(row[place], column)}
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </ScrollArea.Autosize>
  );
}
