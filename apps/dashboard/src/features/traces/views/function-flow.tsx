import { type RefObject, useCallback, useMemo } from 'react';
import { useChangeView, useViewParams } from '../../../shell/url-state/search-params.ts';
import type { FlowLook } from '../../../visuals/flow/flow-graph.tsx';
import { callGraphWork } from '../../../visuals/flow/functions/calls/call-graph.ts';
import { isLimited, selectDrawn } from '../../../visuals/flow/functions/calls/drawn-calls.ts';
import { findOpeningPath } from '../../../visuals/flow/functions/calls/opening-path.ts';
import { FunctionGraph } from '../../../visuals/flow/functions/function-graph.tsx';
import { findFirstNode } from '../../../visuals/steps/analysis/bundle-repeats.ts';
import { useWork } from '../../../visuals/work/use-work.ts';
import type { LoadedTrace } from '../data/queries.ts';
import type { Selection } from '../data/use-selection.ts';
import { SelectedDetails } from '../step/selected-details.tsx';
import { FollowControl } from '../value-origin/follow-control.tsx';
import { useValuePath } from '../value-origin/use-value-path.ts';
import { CallPager } from './call-pager.tsx';
import { FunctionBar } from './function-bar.tsx';
import classes from './function-flow.module.css';
import { GraphPanes } from './graph-panes.tsx';
import { useCardValues } from './use-card-values.ts';
import { useFunctionSearch } from './use-function-search.ts';

const NONE: readonly string[] = [];

interface FunctionFlowProps {
  readonly loaded: LoadedTrace;
  readonly selection: Selection;
  readonly look: FlowLook;
  readonly findBox: RefObject<HTMLInputElement | null>;
}

/** The graph of a request's functions, with the values of the selected call next to it. */
export function FunctionFlow({ loaded, selection, look, findBox }: FunctionFlowProps) {
  const { trace } = loaded;
  const { forest, failing, selected } = selection;
  const { group = 'none' } = useViewParams();
  const change = useChangeView();
  const begin = useCallback(() => callGraphWork(forest), [forest]);
  const graph = useWork(begin, forest.all.length);
  const opening = useMemo(
    () => graph && findOpeningPath(graph, forest.thrownAs === 'failed' ? failing : undefined),
    [graph, forest, failing],
  );
  const valuePath = useValuePath(forest, graph);
  // A graph that draws all functions already contains the functions of the followed value, so the graph is not laid out again.
  const wanted = useMemo(
    () => (graph && isLimited(graph) && valuePath !== undefined ? [...valuePath.functions.keys()] : NONE),
    [graph, valuePath],
  );
  const drawn = useMemo(
    () => graph && selectDrawn(graph, { opening, grouping: group, service: trace.service, wanted }),
    [graph, opening, group, trace, wanted],
  );
  const current = selected && graph?.byStep.get(findFirstNode(selected));
  const search = useFunctionSearch(loaded, selection, drawn);
  const values = useCardValues(loaded, { graph, opening, selected });
  return (
    <div className={classes.root}>
      <FunctionBar
        box={findBox}
        search={search}
        drawn={drawn}
        group={group}
        onGroup={(chosen) => change({ group: chosen === 'none' ? undefined : chosen }, { replace: true })}
      >
        <FollowControl loaded={loaded} selected={selected} path={valuePath} />
      </FunctionBar>
      <GraphPanes
        graph={
          <FunctionGraph
            drawn={drawn}
            look={look}
            selected={current?.id}
            hits={search.hits}
            values={values}
            valuePath={valuePath}
            onSelect={selection.select}
          />
        }
        details={
          <div className={classes.details}>
            {current !== undefined && selected !== undefined && (
              <CallPager called={current} selected={selected} onSelect={selection.select} />
            )}
            <SelectedDetails loaded={loaded} selection={selection} />
          </div>
        }
      />
    </div>
  );
}
