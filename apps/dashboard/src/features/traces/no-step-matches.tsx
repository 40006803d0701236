import { Button } from '@mantine/core';
import classes from './trace-dialog.module.css';
import type { StepFilterState } from './use-step-filter.ts';

/** Says that no step is left by the filter, or that values are still being searched. */
export function NoStepMatches({ state: { values, ask } }: { readonly state: StepFilterState }) {
  return (
    <div className={classes.nothing}>
      {values.state === 'loading' ? <p>Searching values…</p> : <p>No step matches.</p>}
      <Button size="xs" variant="default" onClick={() => ask({ text: '', type: undefined, only: undefined })}>
        Show all steps
      </Button>
    </div>
  );
}
