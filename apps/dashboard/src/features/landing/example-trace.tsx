import { Trace } from '@throughline/contract';
import { useState } from 'react';
import { DurationText, MethodBadge, StatusBadge } from '../../ui/layout/badges.tsx';
import type { Lane } from '../../visuals/timeline/lanes/lanes-data.ts';
import { Timeline } from '../../visuals/timeline/timeline.tsx';
import { FailureLine, SelectedDetails, SplitPane, stepKeys, useTraceSelection } from '../traces/index.ts';
import recorded from './checkout-trace.json';
import classes from './landing.module.css';

/** A real trace, recorded in the demo shop. */
const trace = Trace.parse(recorded);
const loaded = { trace, whole: true, usual: undefined, cause: undefined };
const values = new Map(trace.flow.map((step) => [step.stepId, step]));
const NO_LANES: readonly Lane[] = [];

/** The real trace view of one failed request: its steps, and the values of the selected step. */
export function ExampleTrace() {
  const selection = useTraceSelection(loaded, useState<string>());
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: handles the step keys for any focused element inside
    <div className={classes.example} onKeyDown={stepKeys(selection)}>
      <p className={classes.request}>
        <MethodBadge method={trace.request.method} />
        <strong className="mono">{trace.request.path}</strong>
        <StatusBadge statusCode={trace.response.statusCode} hasError={trace.error.hasError} />
        <DurationText ms={trace.timing.duration} />
      </p>
      <FailureLine loaded={loaded} selection={selection} />
      <div className={classes.steps}>
        <SplitPane
          name="example"
          endsWithRows
          left={
            <Timeline
              name="example"
              forest={selection.forest}
              durationMs={trace.timing.duration}
              selected={selection.key}
              onSelect={selection.select}
              focusAtFirst={false}
              lanes={NO_LANES}
              onOpen={() => undefined}
              values={values}
            />
          }
          right={<SelectedDetails loaded={loaded} selection={selection} />}
        />
      </div>
    </div>
  );
}
