import { Group, Title } from '@mantine/core';
import { PRODUCT } from '@throughline/contract';
import type { ReactNode } from 'react';
import classes from './page-header.module.css';

interface PageHeaderProps {
  readonly title: string;
  /** Rendered next to the title, such as a badge. */
  readonly beside?: ReactNode;
  /** The page's actions, at the end of the row. */
  readonly children?: ReactNode;
}

/** A page's title and actions in one row; also sets the title of the browser tab. */
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
      {children !== undefined && <div className={classes.actions}>{children}</div>}
    </Group>
  );
}
