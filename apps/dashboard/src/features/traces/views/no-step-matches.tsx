import { Button } from '@mantine/core';
import type { StepFilterState } from '../filter/use-step-filter.ts';
import classes from '../page/trace-dialog.module.css';

/** Shows that no step matches the filter, or that values are still being searched. */
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
