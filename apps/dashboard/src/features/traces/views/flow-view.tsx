import { SegmentedControl } from '@mantine/core';
import { formatCount, formatDuration, isErrorTrace, type Trace } from '@throughline/contract';
import { useState } from 'react';
import { CopyButton } from '../../../ui/copying/copy-button.tsx';
import { StatusBadge } from '../../../ui/layout/badges.tsx';
import { FlowGraph, type FlowLook } from '../../../visuals/flow/flow-graph.tsx';
import type { LoadedTrace } from '../data/queries.ts';
import { useSelection } from '../data/use-selection.ts';
import { FailureLine } from '../failure/failure-line.tsx';
import { stepKeys } from '../filter/step-keys.ts';
import { DroppedNotice } from '../page/dropped-notice.tsx';
import { SplitPane } from '../page/split-pane.tsx';
import classes from '../page/trace-dialog.module.css';
import { StandsOutStrip } from '../stands-out/stands-out-strip.tsx';
import { SelectedDetails } from '../step/selected-details.tsx';
import { useMarkedSteps } from '../value-origin/value-origin-context.ts';

const LOOKS = [
  { value: 'graph', label: 'Graph' },
  { value: 'list', label: 'List' },
] as const satisfies readonly { value: FlowLook; label: string }[];

/** A trace as a picture: what happened after what, and how the selected card went. */
export function FlowView({ loaded }: { readonly loaded: LoadedTrace }) {
  const [look, setLook] = useState<FlowLook>('graph');
  const { trace } = loaded;
  const selection = useSelection(loaded);
  const marked = useMarkedSteps();
  const graph = (
    <FlowGraph
      forest={selection.forest}
      requestFailed={isErrorTrace(trace.response.statusCode, trace.error.hasError)}
      look={look}
      marked={marked}
      selected={selection.key}
      onSelect={selection.select}
    />
  );
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: keys of what is inside, wherever the focus lies
    <div className={classes.view} onKeyDown={stepKeys(selection)}>
      <FailureLine loaded={loaded} selection={selection} />
      <StandsOutStrip loaded={loaded} selection={selection} />
      <DroppedNotice trace={trace} />
      <div className={classes.strip}>
        <FlowSummary trace={trace} nodes={selection.forest.all.length} />
        <SegmentedControl<FlowLook>
          size="xs"
          aria-label="Show as"
          data={[...LOOKS]}
          value={look}
          onChange={setLook}
        />
      </div>
      <div className={classes.panel}>
        {selection.forest.all.length === 0 ? (
          graph
        ) : (
          <SplitPane
            name="flow"
            left={graph}
            right={<SelectedDetails loaded={loaded} selection={selection} />}
          />
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
