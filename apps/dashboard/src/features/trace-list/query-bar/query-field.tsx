import { Combobox, PillsInput, useCombobox } from '@mantine/core';
import { IconFilter } from '@tabler/icons-react';
import { type KeyboardEvent, useId, useState } from 'react';
import { completeQuery } from './complete-query.ts';
import classes from './query-bar.module.css';
import { QueryChips } from './query-chips.tsx';
import { QueryInput } from './query-input.tsx';
import { QueryProblemLine } from './query-problem.tsx';
import type { QueryDraft } from './use-query-draft.ts';

interface QueryFieldProps {
  readonly draft: QueryDraft;
  /** Lists the values to offer for a field. */
  readonly listValues: (field: string) => readonly string[];
  /** Returns false for a field that the completion must not offer. */
  readonly isOffered?: (field: string, excluded: boolean) => boolean;
  /** Called when the field gets the focus. */
  readonly onUse: () => void;
  /**
   * True in a form, which adds the typed terms when it is submitted. A chip therefore stays in edit mode when the field loses the focus.
   */
  readonly isInForm?: boolean;
  /** The reason why a stored term is not allowed. */
  readonly storedProblem?: string | undefined;
  /** A visible label and a description; without them, the field is only labelled for screen readers. */
  readonly label?: string;
  readonly description?: string;
  readonly placeholder?: string;
}

/** A field for a query in the filter language: its terms as chips, and a text field with completion. */
export function QueryField(props: QueryFieldProps) {
  const { draft, listValues, isOffered, onUse, isInForm = false, storedProblem } = props;
  const [hasActiveOption, setHasActiveOption] = useState(false);
  const combobox = useCombobox({ onDropdownClose: () => forgetOption() });
  const problemId = useId();
  const { text, problem } = draft;
  const completions = combobox.dropdownOpened ? completeQuery(text, draft.caret, listValues, isOffered) : [];
  const isOpen = completions.length > 0;

  function forgetOption() {
    combobox.resetSelectedOption();
    setHasActiveOption(false);
  }
  const commit = (query: string) => {
    draft.commit(query);
    combobox.closeDropdown();
  };
  const choose = (index: string) => {
    const chosen = completions[Number(index)];
    if (chosen === undefined) return;
    forgetOption();
    if (chosen.isTerm) commit(chosen.query);
    else draft.write(chosen.query, chosen.caret);
  };
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'Backspace' && text === '' && draft.terms.length > 0) {
      event.preventDefault();
      draft.editLast();
    } else if (event.key === 'Enter' && !(isOpen && hasActiveOption)) {
      // In a form, Enter adds the typed terms instead of submitting the form.
      if (text !== '') event.preventDefault();
      commit(text);
    } else if (event.key === 'Escape' && !combobox.dropdownOpened) draft.cancel();
    else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') setHasActiveOption(isOpen);
  };

  return (
    <div className={classes.bar}>
      <Combobox store={combobox} onOptionSubmit={choose} transitionProps={{ duration: 0 }}>
        <Combobox.DropdownTarget>
          <PillsInput
            label={props.label}
            description={props.description}
            leftSection={<IconFilter size={16} aria-hidden />}
            error={problem !== undefined || storedProblem !== undefined}
            onClick={() => draft.field.current?.focus()}
          >
            <div className={classes.content}>
              <QueryChips terms={draft.terms} onEdit={draft.edit} onRemove={draft.remove} />
              <Combobox.EventsTarget withExpandedAttribute>
                <QueryInput
                  ref={draft.field}
                  hasActiveOption={isOpen && hasActiveOption}
                  problemId={problem === undefined ? undefined : problemId}
                  placeholder={
                    draft.terms.length === 0
                      ? (props.placeholder ?? 'Filter: status:5xx duration:>1s -instance:w3')
                      : 'Add filter'
                  }
                  value={text}
                  onFocus={onUse}
                  onClick={() => combobox.openDropdown()}
                  onBlur={() => {
                    combobox.closeDropdown();
                    if (!isInForm) draft.leave();
                  }}
                  onChange={({ currentTarget: { value, selectionStart } }) => {
                    draft.type(value, selectionStart ?? value.length);
                    combobox.openDropdown();
                    forgetOption();
                  }}
                  onKeyDown={onKeyDown}
                />
              </Combobox.EventsTarget>
            </div>
          </PillsInput>
        </Combobox.DropdownTarget>
        <Combobox.Dropdown hidden={!isOpen}>
          <Combobox.Options className={classes.options ?? ''} aria-label="Completions">
            {completions.map(({ text: offered, about }, index) => (
              <Combobox.Option key={offered} value={String(index)} className={classes.option ?? ''}>
                <span className={`mono ${classes.term}`}>{offered}</span>
                <span className={classes.note}>{about}</span>
              </Combobox.Option>
            ))}
          </Combobox.Options>
        </Combobox.Dropdown>
      </Combobox>
      {problem !== undefined && <QueryProblemLine id={problemId} problem={problem} onFix={draft.fix} />}
      {problem === undefined && storedProblem !== undefined && (
        <div className={classes.problem}>
          <p role="alert">{storedProblem}</p>
        </div>
      )}
    </div>
  );
}
