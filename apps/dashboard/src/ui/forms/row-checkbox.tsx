import type { ComponentProps } from 'react';
import classes from './row-checkbox.module.css';

interface RowCheckboxProps extends Omit<ComponentProps<'input'>, 'type' | 'className'> {
  readonly 'aria-label': string;
  /** True if some of the rows that the checkbox stands for are selected. */
  readonly indeterminate?: boolean;
}

/** A checkbox that selects a row or all rows. Mantine's checkbox takes many times longer to render, which would slow down long lists. */
export function RowCheckbox({ indeterminate = false, ...props }: RowCheckboxProps) {
  return (
    <input
      {...props}
      type="checkbox"
      className={classes.box}
      ref={(box) => {
        if (box !== null) box.indeterminate = indeterminate;
      }}
    />
  );
}
