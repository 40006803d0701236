import { Combobox, PillsInput, useCombobox } from '@mantine/core';
import { IconFilter } from '@tabler/icons-react';
import { type KeyboardEvent, useId, useState } from 'react';
import type { ListFilters } from '../queries.ts';
import { completeQuery } from './complete-query.ts';
import classes from './query-bar.module.css';
import { QueryChips } from './query-chips.tsx';
import { QueryInput } from './query-input.tsx';
import { QueryProblemLine } from './query-problem.tsx';
import { useKnownValues } from './use-known-values.ts';
import { useQueryDraft } from './use-query-draft.ts';

/** All filters of the list as a typed query with completion, stored in the URL. */
export function QueryBar({ filters }: { readonly filters: ListFilters }) {
  const [hasActiveOption, setHasActiveOption] = useState(false);
  const combobox = useCombobox({ onDropdownClose: () => forgetOption() });
  const [wasUsed, setWasUsed] = useState(false);
  const draft = useQueryDraft();
  const listValues = useKnownValues(filters, wasUsed);
  const problemId = useId();
  const { text, problem } = draft;
  const completions = combobox.dropdownOpened ? completeQuery(text, draft.caret, listValues) : [];
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
    } else if (event.key === 'Enter' && !(isOpen && hasActiveOption)) commit(text);
    else if (event.key === 'Escape' && !combobox.dropdownOpened) draft.cancel();
    else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') setHasActiveOption(isOpen);
  };

  return (
    <div className={classes.bar}>
      <Combobox store={combobox} onOptionSubmit={choose} transitionProps={{ duration: 0 }}>
        <Combobox.DropdownTarget>
          <PillsInput
            leftSection={<IconFilter size={16} aria-hidden />}
            error={problem !== undefined}
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
                    draft.terms.length === 0 ? 'Filter: status:5xx duration:>1s -instance:w3' : 'Add filter'
                  }
                  value={text}
                  onFocus={() => setWasUsed(true)}
                  onClick={() => combobox.openDropdown()}
                  onBlur={() => {
                    combobox.closeDropdown();
                    draft.leave();
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
    </div>
  );
}
