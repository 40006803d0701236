import { EndTime } from '../time/end-time.tsx';
import { Timestamp } from '../time/timestamp.tsx';
import type { TableColumn } from './table-column.ts';

interface Lifetime {
  readonly createdAt: string;
  readonly expiresAt: string;
}

/** Columns that show when the object of a row was created, and when it expires. */
export const LIFETIME_COLUMNS: readonly TableColumn<Lifetime>[] = [
  {
    name: 'Created',
    kind: 'time',
    value: ({ createdAt }) => Date.parse(createdAt),
    cell: ({ createdAt }) => <Timestamp at={createdAt} />,
  },
  {
    name: 'Expires',
    kind: 'time',
    value: ({ expiresAt }) => Date.parse(expiresAt),
    cell: ({ expiresAt }) => <EndTime at={expiresAt} />,
  },
];
