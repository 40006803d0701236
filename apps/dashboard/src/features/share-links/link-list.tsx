import { Text } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ShareLink } from '@throughline/contract';
import type { ReactNode } from 'react';
import { LoadState } from '../../ui/feedback/load-state.tsx';

interface LinkListProps {
  readonly query: UseQueryResult<readonly ShareLink[]>;
  /** The number of rows to show while the links load. */
  readonly rows: number;
  /** Text shown if there is no link. */
  readonly empty: string;
  readonly children: (links: readonly ShareLink[]) => ReactNode;
}

/** Lists share links. Shows a placeholder while they load, an error if they cannot be loaded, and the text `empty` if there are none. */
export function LinkList({ query, rows, empty, children }: LinkListProps) {
  return (
    <>
      <LoadState query={query} what="links" failure="The links could not be loaded." rows={rows} />
      {query.data !== undefined && children(query.data)}
      {query.data?.length === 0 && (
        <Text size="sm" c="dimmed">
          {empty}
        </Text>
      )}
    </>
  );
}
