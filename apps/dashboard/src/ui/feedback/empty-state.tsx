import { Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';

interface EmptyStateProps {
  /** The title: "No projects yet". */
  readonly title: string;
  /** One sentence: why, or what to do. */
  readonly children?: ReactNode;
  /** The one next step. */
  readonly action?: ReactNode;
}

/** Where a list has nothing to show. */
export function EmptyState({ title, children, action }: EmptyStateProps) {
  return (
    <Stack align="center" gap="xs" py={48} px="md">
      <Text fw={600}>{title}</Text>
      {children !== undefined && (
        <Text size="sm" c="dimmed" ta="center" maw={440}>
          {children}
        </Text>
      )}
      {action}
    </Stack>
  );
}
