import { CloseButton, UnstyledButton } from '@mantine/core';
import type { QueryTerm } from '@throughline/contract';
import { formatCountry } from '../filters/country-name.ts';
import classes from './query-bar.module.css';

interface QueryChipsProps {
  readonly terms: readonly QueryTerm[];
  readonly onEdit: (term: QueryTerm) => void;
  readonly onRemove: (term: QueryTerm) => void;
}

/** The active filters, each shown as the term that a user would type. */
export function QueryChips({ terms, onEdit, onRemove }: QueryChipsProps) {
  if (terms.length === 0) return null;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset groups the fields of a form
    <div role="group" aria-label="Active filters" className={classes.chips}>
      {terms.map((term) => (
        <span key={term.text} className={classes.chip} data-excluded={term.excluded}>
          <UnstyledButton
            className={classes.chipText ?? ''}
            aria-label={`Edit filter: ${term.text}`}
            title={term.text}
            onClick={() => onEdit(term)}
          >
            <span className={`mono ${classes.term}`}>{term.text}</span>
            {term.field === 'country' && <span className={classes.note}>{formatCountry(term.value)}</span>}
          </UnstyledButton>
          <CloseButton size={24} aria-label={`Remove filter: ${term.text}`} onClick={() => onRemove(term)} />
        </span>
      ))}
    </div>
  );
}
