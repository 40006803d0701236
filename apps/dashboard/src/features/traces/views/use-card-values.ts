import { useQueries } from '@tanstack/react-query';
import type { Step } from '@throughline/contract';
import { useCallback, useMemo } from 'react';
import { type LineValue, listLineValues } from '../../../visuals/files/line-values.ts';
import type { CallGraph } from '../../../visuals/flow/functions/calls/call-graph.ts';
import type { OpeningPath } from '../../../visuals/flow/functions/calls/opening-path.ts';
import type { StepEntry } from '../../../visuals/steps/analysis/bundle-repeats.ts';
import { type LoadedTrace, stepOptions } from '../data/queries.ts';

interface ShownCalls {
  readonly graph: CallGraph | undefined;
  readonly opening: OpeningPath | undefined;
  readonly selected: StepEntry | undefined;
}

/**
 * Returns the values that the cards of the failing and the selected function show. Fetches nothing: the details next to the graph load
 * the selected call.
 */
export function useCardValues(
  { trace, whole }: LoadedTrace,
  { graph, opening, selected }: ShownCalls,
): ReadonlyMap<string, readonly LineValue[]> {
  const failing = opening?.kind === 'failing' ? opening.call : undefined;
  const chosen = selected?.kind === 'step' ? selected.node : undefined;
  const nodes = useMemo(() => {
    // The selected call comes last, so that it replaces a failing call of the same function.
    const shown = [failing, chosen].filter((node) => node !== undefined);
    return new Map(
      shown.flatMap((node) => {
        const id = graph?.byStep.get(node)?.id;
        return id === undefined ? [] : [[id, node] as const];
      }),
    );
  }, [failing, chosen, graph]);
  const combine = useCallback(
    (known: readonly { readonly data: Step | undefined }[]) =>
      new Map(
        [...nodes].map(([id, node], index) => {
          const step = (whole ? undefined : known[index]?.data) ?? node.step;
          return [id, listLineValues(step).filter(({ name }) => name !== 'returned')] as const;
        }),
      ),
    [nodes, whole],
  );
  return useQueries({
    queries: [...nodes.values()].map(({ step }) => ({
      ...stepOptions(trace._id, step.stepId),
      enabled: false,
    })),
    combine,
  });
}
