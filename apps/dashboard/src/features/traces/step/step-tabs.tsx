import { formatCount } from '@throughline/contract';
import { type ReactNode, type RefObject, useCallback, useMemo, useRef, useState } from 'react';
import { useChangeView, useViewParams } from '../../../shell/url-state/search-params.ts';
import { FileView } from '../../../visuals/files/file-view.tsx';
import { FlameGraph } from '../../../visuals/flame/flame-graph.tsx';
import type { ValuePosition } from '../../../visuals/source/captured-names.ts';
import type { StepNode } from '../../../visuals/steps/analysis/step-forest.ts';
import type { StepFilter } from '../../../visuals/steps/tree/step-filter.ts';
import { Timeline } from '../../../visuals/timeline/timeline.tsx';
import type { LoadedTrace } from '../data/queries.ts';
import { MAX_WITH_VALUES, useAllValues, useRelated } from '../data/related-queries.ts';
import { useOpenTrace } from '../data/use-open-trace.ts';
import type { Selection } from '../data/use-selection.ts';
import { StepFilterBar } from '../filter/step-filter-bar.tsx';
import { useStepFilter } from '../filter/use-step-filter.ts';
import { SplitPane } from '../page/split-pane.tsx';
import classes from '../page/trace-dialog.module.css';
import { listCodeValues } from '../source/list-code-values.ts';
import { describeMissingSource } from '../source/missing-source.ts';
import { useSource } from '../source/use-source.ts';
import { FollowMenu, type ListValues } from '../value-origin/follow-menu.tsx';
import { listFollowableValues } from '../value-origin/followable-values.ts';
import { useMarkedSteps, useValueOrigin } from '../value-origin/value-origin-context.ts';
import { NoStepMatches } from '../views/no-step-matches.tsx';
import { Sequence } from '../views/sequence.tsx';
import { useLanes } from '../views/use-lanes.ts';
import { FailedRead } from './failed-read.tsx';
import { SelectedDetails } from './selected-details.tsx';
import { listParts } from './values/list-parts.ts';

/**
 * Initial width of the sequence diagram beside the details, in percent. The diagram is wider than other views, because it has a column per
 * actor.
 */
const SEQUENCE_SHARE = 66;

const OTHERS_MISSING = 'The requests of other services could not be loaded.';

interface StepTabProps {
  readonly loaded: LoadedTrace;
  readonly selection: Selection;
  /** The search field for steps, which the key `f` focuses. */
  readonly findBox: RefObject<HTMLInputElement | null>;
  readonly focusAtFirst: boolean;
}

/** All steps in the call tree with their times, and the times at which other services of a distributed trace ran. */
export function TimelineTab(props: StepTabProps) {
  const { loaded, selection, focusAtFirst } = props;
  const related = useRelated(loaded.trace);
  const lanes = useLanes(loaded.trace, related.data);
  const open = useOpenTrace('timeline');
  const { only } = useViewParams();
  const marked = useMarkedSteps();
  const [areValuesWanted, setValuesWanted] = useState(false);
  const { values } = useAllValues(loaded, areValuesWanted);
  const wantValues = useCallback(() => setValuesWanted(true), []);
  return (
    <Filtered name="steps" {...props}>
      {(filter) => (
        <FailedRead what={OTHERS_MISSING} query={related}>
          <Timeline
            name="timeline"
            forest={selection.forest}
            filter={filter}
            durationMs={loaded.trace.timing.duration}
            marked={marked}
            critical={only === 'critical' ? selection.critical : undefined}
            selected={selection.key}
            onSelect={selection.select}
            focusAtFirst={focusAtFirst}
            lanes={lanes}
            onOpen={open}
            values={values}
            onValuesWanted={wantValues}
          />
        </FailedRead>
      )}
    </Filtered>
  );
}

/** The flame graph, which shows where the request spent its time. */
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

/** The sequence diagram, which shows which service called which. */
export function SequenceTab({ loaded, selection }: StepTabProps) {
  const open = useOpenTrace('sequence');
  const related = useRelated(loaded.trace);
  return (
    <BesideDetails name="sequence" atFirst={SEQUENCE_SHARE} loaded={loaded} selection={selection}>
      <FailedRead what={OTHERS_MISSING} query={related}>
        <Sequence trace={loaded.trace} related={related.data} selection={selection} onOpen={open} />
      </FailedRead>
    </BesideDetails>
  );
}

/** The request's files with the functions that ran, and the values of their calls. */
export function FilesTab({ loaded, selection }: StepTabProps) {
  const { query, values } = useAllValues(loaded, true);
  const source = useSource(loaded.trace._id, 'all');
  const { order } = useViewParams();
  const change = useChangeView();
  const origin = useValueOrigin();
  const menuButton = useRef<HTMLButtonElement>(null);
  const sources = useMemo(
    () => new Map((source.data ?? []).map(({ file, functions }) => [file, functions])),
    [source.data],
  );
  const listOffered: ListValues = useCallback(
    (step, node) =>
      listCodeValues(step, node, sources.get(step.filePath ?? '') ?? []) ??
      listFollowableValues(listParts(step).parts),
    [sources],
  );
  const noSource = useMemo(
    () =>
      source.data &&
      describeMissingSource(loaded.trace.flow, loaded.trace, (file) => sources.get(file) ?? []),
    [loaded.trace, source.data, sources],
  );
  const noValues = values === undefined && !query.isError ? describeMissing(loaded) : undefined;
  const follow = origin && {
    onFollow: (node: StepNode, at: ValuePosition) => origin.ask({ stepId: node.step.stepId, ...at }),
    // Opens the menu only after the key's event. If the menu had been opened before, opening it during the event would close it again.
    onMenu: () => void setTimeout(() => menuButton.current?.click()),
    menu: <FollowMenu loaded={loaded} selected={selection.selected} list={listOffered} button={menuButton} />,
  };
  return (
    <BesideDetails name="files" endsWithRows isSource loaded={loaded} selection={selection}>
      <FailedRead what="The steps' values could not be loaded." query={query}>
        <WithNotes values={noValues} source={noSource}>
          <FileView
            sources={sources}
            order={order ?? 'calls'}
            onOrder={(chosen) =>
              change({ order: chosen === 'lines' ? chosen : undefined }, { replace: true })
            }
            forest={selection.forest}
            selected={selection.key}
            onSelect={selection.select}
            getValues={({ step }) => values?.get(step.stepId) ?? step}
            follow={follow}
          />
        </WithNotes>
      </FailedRead>
    </BesideDetails>
  );
}

/** Returns the reason why no values are shown next to the lines. */
function describeMissing({ trace }: LoadedTrace): string {
  if (trace.flow.length <= MAX_WITH_VALUES) return 'Loading values…';
  return `Traces of more than ${formatCount(MAX_WITH_VALUES)} steps show no values next to the lines. Select a line to see its values.`;
}

interface WithNotesProps {
  readonly values: string | undefined;
  readonly source: string | undefined;
  readonly children: ReactNode;
}

function WithNotes({ values, source, children }: WithNotesProps) {
  return (
    <div className={classes.incomplete}>
      {values !== undefined && (
        <p role="status" className={classes.note}>
          {values}
        </p>
      )}
      {source !== undefined && <p className={classes.note}>{source}</p>}
      <div>{children}</div>
    </div>
  );
}

interface FilteredProps extends StepTabProps {
  readonly name: string;
  readonly children: (filter: StepFilter | undefined) => ReactNode;
}

/** A list of steps below its filter bar. */
function Filtered({ name, children, findBox, loaded, selection }: FilteredProps) {
  const state = useStepFilter(loaded, selection);
  const { filter } = state;
  if (selection.forest.all.length === 0) return <NoSteps />;
  return (
    <div className={classes.filtered}>
      <StepFilterBar box={findBox} selection={selection} state={state} />
      <BesideDetails name={name} endsWithRows loaded={loaded} selection={selection}>
        {filter?.matches.size === 0 ? <NoStepMatches state={state} /> : children(filter)}
      </BesideDetails>
    </div>
  );
}

interface BesideDetailsProps {
  /** The name under which this browser stores the divider's position. */
  readonly name: string;
  readonly atFirst?: number;
  /** True for a list of rows instead of a graph. */
  readonly endsWithRows?: true;
  /** True if the view shows the source code of the selected step. */
  readonly isSource?: true;
  readonly loaded: LoadedTrace;
  readonly selection: Selection;
  readonly children: ReactNode;
}

/** A view of the steps, with the selected step's values next to it. */
function BesideDetails({
  name,
  atFirst,
  endsWithRows,
  isSource,
  loaded,
  selection,
  children,
}: BesideDetailsProps) {
  if (selection.forest.all.length === 0) return <NoSteps />;
  return (
    <SplitPane
      name={name}
      {...(atFirst === undefined ? {} : { atFirst })}
      endsWithRows={endsWithRows ?? false}
      left={children}
      right={<SelectedDetails loaded={loaded} selection={selection} isBesideSource={isSource ?? false} />}
    />
  );
}

function NoSteps() {
  return <p className={classes.nothing}>No steps were recorded for this request.</p>;
}
