import { useMemo } from 'react';
import type { CallGraph } from '../../../visuals/flow/functions/calls/call-graph.ts';
import { findValuePath, type ValuePath } from '../../../visuals/flow/functions/value-path/value-path.ts';
import type { StepForest } from '../../../visuals/steps/analysis/step-forest.ts';
import { listPathPlaces } from './list-path-places.ts';
import { useValueOrigin } from './value-origin-context.ts';

/** Returns the path of the followed value through the functions. Undefined if no value is followed, and until the path is loaded. */
export function useValuePath(forest: StepForest, graph: CallGraph | undefined): ValuePath | undefined {
  const origin = useValueOrigin()?.query.data;
  const isFollowed = useValueOrigin()?.asked !== undefined;
  return useMemo(() => {
    if (graph === undefined || !isFollowed || origin === undefined || origin.refusal !== null)
      return undefined;
    return findValuePath(graph, listPathPlaces(origin, forest));
  }, [graph, isFollowed, origin, forest]);
}
