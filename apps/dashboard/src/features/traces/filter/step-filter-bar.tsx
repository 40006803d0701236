import { Button, CloseButton, SegmentedControl, Select, TextInput } from '@mantine/core';
import { IconFilter } from '@tabler/icons-react';
import { formatCount, formatDuration, StepType } from '@throughline/contract';
import { type RefObject, useMemo } from 'react';
import { useTypedText } from '../../../ui/hooks/use-typed-text.ts';
import type { StepForest } from '../../../visuals/steps/analysis/step-forest.ts';
import type { ThrownAs } from '../../../visuals/steps/step-outcome.ts';
import type { Selection } from '../data/use-selection.ts';
import classes from './step-filter-bar.module.css';
import type { StepFilterState } from './use-step-filter.ts';

/** Milliseconds from the last key press until the list is filtered. */
const TYPING_MS = 150;
const ALL = 'all';
/** The labels of the filter and of the button for steps that threw. */
const ERROR_WORDS: Readonly<Record<ThrownAs, { readonly many: string; readonly first: string }>> = {
  failed: { many: 'Errors', first: 'First error' },
  handled: { many: 'Handled errors', first: 'First handled error' },
};

interface StepFilterBarProps {
  readonly box: RefObject<HTMLInputElement | null>;
  readonly selection: Selection;
  readonly state: StepFilterState;
}

/** The filters of the list of steps, and buttons to the most important steps. */
export function StepFilterBar({ box, selection, state }: StepFilterBarProps) {
  const { query, filter, values, ask } = state;
  const { forest, critical, jump } = selection;
  const { types, thrown } = useMemo(() => summarize(forest), [forest]);
  const errors = thrown === 0 ? ERROR_WORDS.failed : ERROR_WORDS[forest.thrownAs];
  return (
    <search className={classes.bar} aria-label="Steps">
      <FindBox box={box} state={state} />
      <Select
        size="xs"
        w={124}
        aria-label="Type of step"
        data={[{ value: ALL, label: 'All types' }, ...types.map((type) => ({ value: type, label: type }))]}
        value={query.type ?? ALL}
        onChange={(value) => ask({ type: types.find((type) => type === value) })}
      />
      <SegmentedControl
        size="xs"
        aria-label="Which steps"
        data={[
          { value: ALL, label: 'All' },
          { value: 'errors', label: thrown === 0 ? errors.many : `${errors.many} ${formatCount(thrown)}` },
          { value: 'critical', label: `Critical path ${formatDuration(critical.totalMs)}` },
        ]}
        value={query.only ?? ALL}
        onChange={(value) => ask({ only: value === 'errors' || value === 'critical' ? value : undefined })}
      />
      <p role="status" className={classes.count}>
        {filter !== undefined &&
          `${formatCount(filter.matches.size)} of ${formatCount(forest.all.length)} steps`}
        {values.state === 'loading' && `, ${formatSearching(values.share)}`}
        {values.state === 'failed' && ', values could not be searched'}
      </p>
      {values.state === 'failed' && (
        <Button size="compact-xs" variant="default" onClick={values.retry}>
          Try Again
        </Button>
      )}
      <div className={classes.jumps}>
        <Button
          size="compact-xs"
          variant="default"
          onClick={jump.slowest}
          title="Longest by summed self time (S)"
        >
          Slowest
        </Button>
        <Button
          size="compact-xs"
          variant="default"
          disabled={thrown === 0}
          onClick={jump.firstError}
          title={`${errors.first} (E: next)`}
        >
          {errors.first}
        </Button>
        <Button
          size="compact-xs"
          variant="default"
          disabled={critical.segments.length === 0}
          onClick={jump.nextCritical}
          title="Next step on the critical path (C)"
        >
          Next on critical path
        </Button>
      </div>
    </search>
  );
}

/** Describes how much of a large trace has been searched. */
export function formatSearching(share: number): string {
  return share === 0 ? 'searching values…' : `searching values (${Math.floor(100 * share)} %)…`;
}

/** Returns the types that occur, and the number of steps that threw. */
function summarize({ all }: StepForest): { readonly types: readonly StepType[]; readonly thrown: number } {
  const seen = new Set<StepType>();
  let thrown = 0;
  for (const { step, outcome } of all) {
    seen.add(step.stepType);
    if (outcome !== 'ended') thrown += 1;
  }
  return { types: StepType.options.filter((type) => seen.has(type)), thrown };
}

interface FindBoxProps {
  readonly box: RefObject<HTMLInputElement | null>;
  readonly state: Pick<StepFilterState, 'query' | 'ask'>;
  readonly onEnter?: () => void;
}

/** The search field for steps. */
export function FindBox({ box, state: { query, ask }, onEnter }: FindBoxProps) {
  // The field also follows changes of the URL without typing, such as by the browser's Back button or by a jump to a step that the filter
  // excludes.
  const [text, set] = useTypedText(query.text, (typed) => ask({ text: typed }), TYPING_MS);
  return (
    <TextInput
      ref={box}
      // Escape leaves the field and does not close the dialog.
      data-mantine-stop-propagation="true"
      size="xs"
      type="search"
      className={classes.find ?? ''}
      aria-label="Find steps by name, value, file, type or error"
      placeholder="Find name, value, file, error (f)"
      maxLength={1000}
      leftSection={<IconFilter size={14} aria-hidden />}
      rightSection={
        text !== '' && <CloseButton size={24} aria-label="Show all steps again" onClick={() => set('')} />
      }
      value={text}
      onChange={(event) => set(event.currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key === 'Escape') event.currentTarget.blur();
        if (event.key === 'Enter') onEnter?.();
      }}
    />
  );
}
