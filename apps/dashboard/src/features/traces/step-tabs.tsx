import { Button } from '@mantine/core';
import type { ReactNode, RefObject } from 'react';
import { FlameGraph } from '../../visuals/flame/flame-graph.tsx';
import type { StepFilter } from '../../visuals/steps/step-filter.ts';
import { StepTree } from '../../visuals/steps/step-tree.tsx';
import { Waterfall } from '../../visuals/waterfall/waterfall.tsx';
import type { LoadedTrace } from './queries.ts';
import { SelectedDetails } from './selected-details.tsx';
import { SplitPane } from './split-pane.tsx';
import { StepFilterBar } from './step-filter-bar.tsx';
import classes from './trace-dialog.module.css';
import type { Selection } from './use-selection.ts';
import { useStepFilter } from './use-step-filter.ts';

interface StepTabProps {
  readonly loaded: LoadedTrace;
  readonly selection: Selection;
  /** The field that narrows the steps: `f` goes there. */
  readonly findBox: RefObject<HTMLInputElement | null>;
  readonly focusAtFirst: boolean;
}

/** Every step in its place in the tree of calls. */
export function StepsTab(props: StepTabProps) {
  const { loaded, selection, focusAtFirst } = props;
  return (
    <Filtered name="steps" {...props}>
      {(filter) => (
        <StepTree
          forest={selection.forest}
          filter={filter}
          totalMs={loaded.trace.timing.duration}
          critical={selection.critical}
          selected={selection.key}
          onSelect={selection.select}
          focusAtFirst={focusAtFirst}
        />
      )}
    </Filtered>
  );
}

/** When each step ran. */
export function WaterfallTab(props: StepTabProps) {
  const { loaded, selection, focusAtFirst } = props;
  return (
    <Filtered name="waterfall" {...props}>
      {(filter) => (
        <Waterfall
          forest={selection.forest}
          filter={filter}
          durationMs={loaded.trace.timing.duration}
          critical={selection.critical}
          selected={selection.key}
          onSelect={selection.select}
          focusAtFirst={focusAtFirst}
        />
      )}
    </Filtered>
  );
}

/** Where the time went. */
export function FlameTab({ loaded, selection }: StepTabProps) {
  const { request, timing } = loaded.trace;
  return (
    <BesideDetails name="flame" loaded={loaded} selection={selection}>
      <FlameGraph
        forest={selection.forest}
        requestName={`${request.method} ${request.path}`}
        durationMs={timing.duration}
        selected={selection.key}
        onSelect={selection.select}
      />
    </BesideDetails>
  );
}

interface FilteredProps extends StepTabProps {
  readonly name: string;
  readonly children: (filter: StepFilter | undefined) => ReactNode;
}

/** A list of steps below the bar that narrows it. */
function Filtered({ name, children, findBox, loaded, selection }: FilteredProps) {
  const state = useStepFilter(selection);
  const { filter, ask } = state;
  if (selection.forest.all.length === 0) return <NoSteps />;
  return (
    <div className={classes.filtered}>
      <StepFilterBar box={findBox} selection={selection} state={state} />
      <BesideDetails name={name} loaded={loaded} selection={selection}>
        {filter?.matches.size === 0 ? (
          <div className={classes.nothing}>
            <p>No step matches.</p>
            <Button
              size="xs"
              variant="default"
              onClick={() => ask({ text: '', type: undefined, only: undefined })}
            >
              Show all steps
            </Button>
          </div>
        ) : (
          children(filter)
        )}
      </BesideDetails>
    </div>
  );
}

interface BesideDetailsProps {
  /** Under which name the splitter's place is remembered. */
  readonly name: string;
  readonly loaded: LoadedTrace;
  readonly selection: Selection;
  readonly children: ReactNode;
}

/** A view of the steps, with the selected one's values beside it. */
function BesideDetails({ name, loaded, selection, children }: BesideDetailsProps) {
  if (selection.forest.all.length === 0) return <NoSteps />;
  return (
    <SplitPane
      name={name}
      left={children}
      right={<SelectedDetails loaded={loaded} selection={selection} />}
    />
  );
}

function NoSteps() {
  return <p className={classes.nothing}>No steps were recorded for this request.</p>;
}
