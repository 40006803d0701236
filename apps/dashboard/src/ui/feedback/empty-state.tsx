import { Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';

interface EmptyStateProps {
  /** The title: "No projects yet". */
  readonly title: string;
  /** One sentence: the reason, or what the user can do. */
  readonly children?: ReactNode;
  /** The recommended next step. */
  readonly action?: ReactNode;
}

/** Shown in place of an empty list. */
export function EmptyState({ title, children, action }: EmptyStateProps) {
  return (
    <Stack align="center" gap="xs" py={48} px="md">
      <Text fw={600} ta="center">
        {title}
      </Text>
      {children !== undefined && (
        <Text size="sm" c="dimmed" ta="center" maw={440}>
          {children}
        </Text>
      )}
      {action}
    </Stack>
  );
}
