import { PillsInput } from '@mantine/core';
import { MAX_QUERY_LENGTH } from '@throughline/contract';
import type { ComponentProps } from 'react';
import classes from './query-bar.module.css';

interface QueryInputProps extends Omit<ComponentProps<'input'>, 'type'> {
  /** An option is active. Mantine goes on naming the last one while others are offered. */
  readonly hasActiveOption: boolean;
  /** The id of what says why the query cannot be read. */
  readonly problemId: string | undefined;
}

/** The field that the query is typed into. */
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
