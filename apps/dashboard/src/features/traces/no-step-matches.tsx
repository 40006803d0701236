import { Button } from '@mantine/core';
import { formatCount } from '@throughline/contract';
import { MOST_WITH_VALUES } from './related-queries.ts';
import classes from './trace-dialog.module.css';
import type { StepFilterState } from './use-step-filter.ts';

/** Stands where no step is left by the filter: values may still be on their way. */
export function NoStepMatches({ state: { values, ask } }: { readonly state: StepFilterState }) {
  return (
    <div className={classes.nothing}>
      {values.state === 'loading' ? <p>Searching values…</p> : <p>No step matches.</p>}
      {values.state === 'too-many' && (
        <p>Values are searched in traces of up to {formatCount(MOST_WITH_VALUES)} steps.</p>
      )}
      <Button size="xs" variant="default" onClick={() => ask({ text: '', type: undefined, only: undefined })}>
        Show all steps
      </Button>
    </div>
  );
}
