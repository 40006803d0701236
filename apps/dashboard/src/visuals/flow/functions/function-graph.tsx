import { useCallback } from 'react';
import { LayingOut } from '../laying-out.tsx';
import { drawFunctionSvg } from '../picture/function-svg.ts';
import { SaveMenu } from '../picture/save-menu.tsx';
import type { FunctionCalls } from './calls/call-graph.ts';
import type { DrawnCalls } from './calls/drawn-calls.ts';
import { findTellingCall } from './calls/function-words.ts';
import { FunctionCanvas } from './canvas/function-canvas.tsx';
import type { CardValue } from './canvas/function-card.tsx';
import { FunctionList } from './function-list.tsx';
import { useCallLayout } from './layout/use-call-layout.ts';
import type { ValuePath } from './value-path/value-path.ts';

interface FunctionGraphProps {
  /** Undefined while the functions and calls are computed. */
  readonly drawn: DrawnCalls | undefined;
  readonly look: 'graph' | 'list';
  /** The selected function. */
  readonly selected: string | undefined;
  /** The functions that match the search; undefined without a search. */
  readonly hits: ReadonlySet<string> | undefined;
  /** Maps the ids of some functions to the values of one call of the function, which the function's card shows. */
  readonly values: ReadonlyMap<string, readonly CardValue[]>;
  /** The path of the value that the user follows through the request; undefined if the user follows no value. */
  readonly valuePath: ValuePath | undefined;
  /** Selects a step by its key. */
  readonly onSelect: (key: string) => void;
}

/** The functions of a request, each drawn once, with arrows from callers to callees, or as a list. */
export function FunctionGraph(props: FunctionGraphProps) {
  const { drawn, look, selected, hits, values, valuePath, onSelect } = props;
  const placed = useCallLayout(drawn);
  const opening = drawn?.opening;
  const select = useCallback(
    (called: FunctionCalls) => {
      const isFailing = opening?.kind === 'failing' && called.nodes.includes(opening.call);
      onSelect((isFailing ? opening.call : findTellingCall(called)).key);
    },
    [opening, onSelect],
  );
  if (drawn !== undefined && (look === 'list' || placed.state === 'failed')) {
    return (
      <FunctionList drawn={drawn} selected={selected} hits={hits} valuePath={valuePath} onSelect={select} />
    );
  }
  if (placed.state !== 'placed') return <LayingOut />;
  return (
    <FunctionCanvas
      // Each layout gets a new canvas, since moving thousands of cards takes longer than drawing the cards in view.
      key={placed.id}
      drawn={placed.input}
      layout={placed.layout}
      selected={selected}
      hits={hits}
      values={values}
      valuePath={valuePath}
      onSelect={select}
      tools={
        <SaveMenu svg={(scheme) => drawFunctionSvg(placed.input, placed.layout, { scheme, valuePath })} />
      }
    />
  );
}
