import { UnstyledButton } from '@mantine/core';
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react';
import classes from './sort-heading.module.css';

interface SortHeadingProps {
  readonly name: string;
  readonly numeric: boolean;
  /** The order of the rows if they are sorted by this column. */
  readonly order: 'ascending' | 'descending' | undefined;
  readonly className?: string | undefined;
  readonly onChoose: () => void;
}

/** A column's heading that sorts the rows. */
export function SortHeading({ name, numeric, order, className, onChoose }: SortHeadingProps) {
  const Arrow = order === 'ascending' ? IconArrowUp : IconArrowDown;
  return (
    <th scope="col" className={className} data-numeric={numeric} data-sorts aria-sort={order}>
      <UnstyledButton className={classes.sort ?? ''} onClick={onChoose}>
        {name}
        {order !== undefined && <Arrow size={12} aria-hidden />}
      </UnstyledButton>
    </th>
  );
}
