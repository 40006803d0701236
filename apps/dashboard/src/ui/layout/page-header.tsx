import { Group, Title } from '@mantine/core';
import { PRODUCT } from '@throughline/contract';
import type { ReactNode } from 'react';

interface PageHeaderProps {
  readonly title: string;
  /** The part beside the title: a badge. */
  readonly beside?: ReactNode;
  /** The page's actions, at the row's end. */
  readonly children?: ReactNode;
}

/** A page's title and its actions in one row; names the browser's tab, too. */
export function PageHeader({ title, beside, children }: PageHeaderProps) {
  return (
    <Group justify="space-between" gap="sm" mih={36}>
      <title>{`${title} · ${PRODUCT.name}`}</title>
      <Group gap="sm">
        <Title order={1} size="h2">
          {title}
        </Title>
        {beside}
      </Group>
      {children !== undefined && <Group gap="xs">{children}</Group>}
    </Group>
  );
}
