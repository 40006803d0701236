import { Button, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { MAX_ROW_SEARCH } from '@throughline/contract';
import { escapeControlCharacters } from '@throughline/contract/captured';
import type { RefObject } from 'react';
import { EmptyState } from '../feedback/empty-state.tsx';
import { useTypedText } from '../hooks/use-typed-text.ts';

/** Time without typing after which the rows are searched. Milliseconds. */
const REST_MS = 200;

interface TableSearchProps {
  /** The accessible name: "Search errors". */
  readonly label: string;
  readonly placeholder?: string;
  readonly value: string;
  readonly onChange: (search: string) => void;
  readonly field?: RefObject<HTMLInputElement | null>;
  readonly className?: string | undefined;
}

/** The search field of a table. */
export function TableSearch({
  label,
  placeholder = label,
  value,
  onChange,
  field,
  className,
}: TableSearchProps) {
  const [text, type] = useTypedText(value, onChange, REST_MS);
  return (
    <TextInput
      ref={field}
      type="search"
      size="xs"
      aria-label={label}
      placeholder={placeholder}
      leftSection={<IconSearch size={14} aria-hidden />}
      className={className}
      maxLength={MAX_ROW_SEARCH}
      value={text}
      onChange={({ currentTarget }) => type(currentTarget.value)}
    />
  );
}

interface NoMatchProps {
  /** The name of the rows, such as "errors". */
  readonly what: string;
  readonly search: string;
  readonly onClear: () => void;
  readonly field: RefObject<HTMLInputElement | null>;
}

/** Shown in place of a table's rows if none matches the search. */
export function NoMatch({ what, search, onClear, field }: NoMatchProps) {
  return (
    <EmptyState
      title={`No matching ${what}`}
      action={
        <Button
          variant="default"
          size="xs"
          onClick={() => {
            onClear();
            // The pressed button disappears, so the focus moves to the search field.
            field.current?.focus();
          }}
        >
          Clear search
        </Button>
      }
    >
      <span style={{ overflowWrap: 'anywhere' }}>Nothing contains “{escapeControlCharacters(search)}”.</span>
    </EmptyState>
  );
}
