import { NativeSelect, Table } from '@mantine/core';
import { useRef } from 'react';
import { useNarrowerThan } from '../hooks/use-narrower-than.ts';
import classes from './data-table.module.css';
import { SortHeading } from './sort-heading.tsx';
import {
  chooseNextSort,
  findFirstOrder,
  type TableColumn,
  type TableSort,
  toTableId,
} from './table-column.ts';
import { WideTable } from './wide-table.tsx';

/** Width of the table in pixels below which each row is a card, unless `cardsBelow` is set. */
const CARDS_PX = 440;

export interface DataTableProps<Row> {
  /** The table's accessible name. */
  readonly label: string;
  readonly columns: readonly TableColumn<Row>[];
  /** The rows in the order in which they are shown. */
  readonly rows: readonly Row[];
  readonly getKey: (row: Row) => string;
  readonly sort: TableSort | undefined;
  /** The column and direction by which the rows are sorted by default. Left out if the default order is not the order of a column. */
  readonly usualSort?: TableSort;
  readonly onSort: (sort: TableSort | undefined) => void;
  /** Width in pixels below which each row is a card. Set by tables that need more room than `CARDS_PX`. */
  readonly cardsBelow?: number;
  /** True while the rows of a changed query load: the table still shows the previous rows. */
  readonly stale?: boolean;
}

/** A table that can be sorted by its headings. In a narrow container, each row is a card with a label before each value. */
export function DataTable<Row>({
  label,
  columns,
  rows,
  getKey,
  sort,
  usualSort,
  onSort,
  cardsBelow = CARDS_PX,
  stale = false,
}: DataTableProps<Row>) {
  const frame = useRef<HTMLDivElement>(null);
  const cards = useNarrowerThan(frame, cardsBelow);
  const shown = sort ?? usualSort;
  return (
    <div ref={frame} className={classes.frame} data-cards={cards} data-stale={stale}>
      {cards && (
        <SortSelect label={label} columns={columns} sort={shown} usualSort={usualSort} onSort={onSort} />
      )}
      <WideTable label={`${label}, rows`}>
        <Table verticalSpacing={6} className={classes.table} aria-label={label} aria-busy={stale}>
          {!cards && (
            <Table.Thead>
              <Table.Tr>
                {columns.map((column) => (
                  <Heading
                    key={column.name}
                    column={column}
                    sort={shown}
                    onSort={() => {
                      const next = chooseNextSort(column, shown);
                      onSort(next !== undefined && isSame(next, usualSort) ? undefined : next);
                    }}
                  />
                ))}
              </Table.Tr>
            </Table.Thead>
          )}
          <Table.Tbody>
            {rows.map((row) => (
              <Table.Tr key={getKey(row)}>
                {columns.map((column) => (
                  <Cell key={column.name} column={column} row={row} />
                ))}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </WideTable>
    </div>
  );
}

function Cell<Row>({ column, row }: { readonly column: TableColumn<Row>; readonly row: Row }) {
  const content = column.cell(row);
  const Part = column.isRowHeading === true ? Table.Th : Table.Td;
  return (
    <Part
      scope={column.isRowHeading === true ? 'row' : undefined}
      className={column.className}
      data-kind={column.kind}
      data-card={column.card}
      data-wraps={column.wraps ?? column.card === 'title'}
      data-label={column.name}
      data-empty={content === null}
    >
      {content ?? '–'}
    </Part>
  );
}

interface HeadingProps<Row> {
  readonly column: TableColumn<Row>;
  readonly sort: TableSort | undefined;
  readonly onSort: () => void;
}

function Heading<Row>({ column: { name, kind, className, hiddenHead }, sort, onSort }: HeadingProps<Row>) {
  if (kind === undefined) {
    return (
      <th scope="col" className={className}>
        {hiddenHead === true ? <span className="visually-hidden">{name}</span> : name}
      </th>
    );
  }
  return (
    <SortHeading
      name={name}
      numeric={kind === 'number'}
      order={sort?.column === toTableId(name) ? sort.order : undefined}
      className={className}
      onChoose={onSort}
    />
  );
}

const DEFAULT = 'default';
/** Labels of the ascending and the descending order, for each kind of column. */
const ORDERS = {
  text: { ascending: 'A to Z', descending: 'Z to A' },
  rank: { ascending: 'highest first', descending: 'lowest first' },
  number: { descending: 'highest first', ascending: 'lowest first' },
  time: { descending: 'newest first', ascending: 'oldest first' },
} as const;

interface SortSelectProps<Row> extends Pick<DataTableProps<Row>, 'label' | 'columns' | 'sort' | 'onSort'> {
  readonly usualSort: TableSort | undefined;
}

/** Drop-down list that sorts the cards, which have no headings to click on. */
function SortSelect<Row>({ label, columns, sort, usualSort, onSort }: SortSelectProps<Row>) {
  const options = columns.flatMap(({ name, kind, oneOrder }) => {
    if (kind === undefined) return [];
    const first = findFirstOrder({ kind });
    const reverse: TableSort['order'] = first === 'ascending' ? 'descending' : 'ascending';
    return (oneOrder === true ? [first] : [first, reverse]).map((order) => ({
      sort: { column: toTableId(name), order },
      label: `${name}, ${ORDERS[kind][order]}`,
    }));
  });
  if (options.length === 0) return null;
  return (
    <NativeSelect
      size="xs"
      aria-label={`Sort ${label}`}
      className={classes.sort ?? ''}
      data={[
        ...(usualSort === undefined ? [{ value: DEFAULT, label: 'Default order' }] : []),
        ...options.map((option) => ({ value: toValue(option.sort), label: option.label })),
      ]}
      value={sort === undefined ? DEFAULT : toValue(sort)}
      onChange={({ currentTarget: { value } }) => {
        const next = options.find((option) => toValue(option.sort) === value)?.sort;
        onSort(next !== undefined && isSame(next, usualSort) ? undefined : next);
      }}
    />
  );
}

function toValue({ column, order }: TableSort): string {
  return `${column} ${order}`;
}

function isSame(sort: TableSort, other: TableSort | undefined): boolean {
  return sort.column === other?.column && sort.order === other.order;
}
