import { PillsInput } from '@mantine/core';
import { MAX_QUERY_LENGTH } from '@throughline/contract';
import type { ComponentProps } from 'react';
import classes from './query-bar.module.css';

interface QueryInputProps extends Omit<ComponentProps<'input'>, 'type'> {
  /**
   * True if an option is active. Without an active option, `aria-activedescendant` is removed: after the options have changed, Mantine
   * still sets it to the previous active option.
   */
  readonly hasActiveOption: boolean;
  /** The id of the element that describes why the query is invalid. */
  readonly problemId: string | undefined;
}

export function QueryInput({ hasActiveOption, problemId, ...props }: QueryInputProps) {
  return (
    <PillsInput.Field
      {...props}
      className={classes.field ?? ''}
      role="combobox"
      aria-label="Filter"
      aria-autocomplete="list"
      aria-activedescendant={hasActiveOption ? props['aria-activedescendant'] : undefined}
      aria-invalid={problemId !== undefined}
      aria-describedby={problemId}
      maxLength={MAX_QUERY_LENGTH}
      autoCapitalize="off"
      autoComplete="off"
      spellCheck={false}
    />
  );
}
