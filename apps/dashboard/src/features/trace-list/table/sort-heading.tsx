import { UnstyledButton } from '@mantine/core';
import { IconArrowDown } from '@tabler/icons-react';
import classes from './sort-heading.module.css';

interface SortHeadingProps {
  readonly name: string;
  readonly numeric: boolean;
  /** True if the rows are sorted by this column, the largest value first. */
  readonly active: boolean;
  readonly onChoose: () => void;
}

/** A column's heading that sorts the rows. */
export function SortHeading({ name, numeric, active, onChoose }: SortHeadingProps) {
  return (
    <th scope="col" data-numeric={numeric} data-sorts aria-sort={active ? 'descending' : undefined}>
      <UnstyledButton className={classes.sort ?? ''} onClick={onChoose}>
        {name}
        {active && <IconArrowDown size={12} aria-hidden />}
      </UnstyledButton>
    </th>
  );
}
