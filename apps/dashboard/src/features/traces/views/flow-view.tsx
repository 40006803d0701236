import { Group, SegmentedControl } from '@mantine/core';
import { formatCount, formatDuration, type Trace } from '@throughline/contract';
import { useMemo, useRef, useState } from 'react';
import { useChangeView, useViewParams, type ViewParams } from '../../../shell/url-state/search-params.ts';
import { CopyButton } from '../../../ui/copying/copy-button.tsx';
import { StatusBadge } from '../../../ui/layout/badges.tsx';
import { FlowGraph, type FlowLook } from '../../../visuals/flow/flow-graph.tsx';
import { hasMoreCards } from '../../../visuals/flow/layout/count-cards.ts';
import type { LoadedTrace } from '../data/queries.ts';
import { useSelection } from '../data/use-selection.ts';
import { FailureLine } from '../failure/failure-line.tsx';
import { stepKeys } from '../filter/step-keys.ts';
import { DroppedNotice } from '../page/dropped-notice.tsx';
import classes from '../page/trace-dialog.module.css';
import { StandsOutStrip } from '../stands-out/stands-out-strip.tsx';
import { SelectedDetails } from '../step/selected-details.tsx';
import { useMarkedSteps } from '../value-origin/value-origin-context.ts';
import { FunctionFlow } from './function-flow.tsx';
import { DetailsToggle, GraphPanes } from './graph-panes.tsx';

const LOOKS = [
  { value: 'graph', label: 'Graph' },
  { value: 'list', label: 'List' },
] as const satisfies readonly { value: FlowLook; label: string }[];

/** With more cards than this, the graph shows functions instead of single calls. */
const CALLS_UP_TO = 40;

const GRAPHS = [
  { value: 'calls', label: 'Calls' },
  { value: 'functions', label: 'Functions' },
] as const satisfies readonly { value: ViewParams['graph']; label: string }[];

/** A trace as a graph of calls in time order or of functions, with the details of the selected card. */
export function FlowView({ loaded }: { readonly loaded: LoadedTrace }) {
  const [look, setLook] = useState<FlowLook>('graph');
  const { trace } = loaded;
  const selection = useSelection(loaded);
  const marked = useMarkedSteps();
  const { forest } = selection;
  const { graph: wanted } = useViewParams();
  const change = useChangeView();
  const isLarge = useMemo(() => hasMoreCards(forest, CALLS_UP_TO), [forest]);
  const shown = wanted ?? (isLarge ? 'functions' : 'calls');
  const findBox = useRef<HTMLInputElement>(null);
  const calls = (
    <FlowGraph
      forest={selection.forest}
      look={look}
      marked={marked}
      selected={selection.key}
      onSelect={selection.select}
    />
  );
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: handles keys for any focused element inside
    <div className={classes.view} onKeyDown={stepKeys(selection, () => findBox.current?.focus())}>
      <FailureLine loaded={loaded} selection={selection} />
      <StandsOutStrip loaded={loaded} selection={selection} />
      <DroppedNotice trace={trace} />
      <div className={classes.strip}>
        <FlowSummary trace={trace} nodes={selection.forest.all.length} />
        <Group gap="xs">
          {forest.all.length > 0 && (
            <SegmentedControl
              size="xs"
              aria-label="Graph of"
              data={[...GRAPHS]}
              value={shown}
              onChange={(graph) => change({ graph }, { replace: true })}
            />
          )}
          <SegmentedControl<FlowLook>
            size="xs"
            aria-label="Show as"
            data={[...LOOKS]}
            value={look}
            onChange={setLook}
          />
          {forest.all.length > 0 && <DetailsToggle />}
        </Group>
      </div>
      <div className={classes.panel}>
        {forest.all.length === 0 && calls}
        {forest.all.length > 0 && shown === 'calls' && (
          <GraphPanes graph={calls} details={<SelectedDetails loaded={loaded} selection={selection} />} />
        )}
        {forest.all.length > 0 && shown === 'functions' && (
          <FunctionFlow loaded={loaded} selection={selection} look={look} findBox={findBox} />
        )}
      </div>
    </div>
  );
}

function FlowSummary({ trace, nodes }: { readonly trace: Trace; readonly nodes: number }) {
  return (
    <dl className={classes.summary} aria-label="Flow summary">
      <div>
        <dt>Total duration</dt>
        <dd className="figures">{formatDuration(trace.timing.duration)}</dd>
      </div>
      <div>
        <dt>Nodes</dt>
        <dd className="figures">{formatCount(nodes)}</dd>
      </div>
      <div>
        <dt>Status</dt>
        <dd>
          <StatusBadge statusCode={trace.response.statusCode} hasError={trace.error.hasError} />
        </dd>
      </div>
      <div>
        <dt>Trace ID</dt>
        <dd className={classes.traceId}>
          <span className="mono">{trace.traceId}</span>
          <CopyButton value={trace.traceId} label="Copy trace ID" />
        </dd>
      </div>
    </dl>
  );
}
