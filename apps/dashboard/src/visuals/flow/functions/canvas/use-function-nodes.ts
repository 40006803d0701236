import { useMemo, useState } from 'react';
import type { FunctionCalls } from '../calls/call-graph.ts';
import type { DrawnCalls } from '../calls/drawn-calls.ts';
import { type CallLayout, FUNCTION_CARD } from '../layout/layout-types.ts';
import type { ValuePath } from '../value-path/value-path.ts';
import type { CardTone, CardValue, FunctionFlowNode } from './function-card.tsx';

export interface NodeOptions {
  readonly drawn: DrawnCalls;
  readonly layout: CallLayout;
  readonly lit: ReadonlySet<string>;
  readonly selected: string | undefined;
  readonly cursor: string | undefined;
  readonly values: ReadonlyMap<string, readonly CardValue[]>;
  readonly valuePath: ValuePath | undefined;
  readonly onSelect: (called: FunctionCalls) => void;
}

/** Returns the cards to draw. An unchanged card stays the same object, so that it is not rendered again. */
export function useFunctionNodes(options: NodeOptions, ids: ReadonlySet<string>): FunctionFlowNode[] {
  const [before] = useState(() => new Map<string, FunctionFlowNode>());
  const { drawn, layout, lit, selected, cursor, values, valuePath, onSelect } = options;
  return useMemo(() => {
    const nodes = drawn.shown.flatMap((called): FunctionFlowNode[] => {
      const position = layout.cards.get(called.id);
      if (position === undefined || !(ids.has(called.id) || called.id === cursor)) return [];
      const data = {
        graph: drawn.graph,
        called,
        tone: findTone(called, { drawn, lit }),
        isCursor: called.id === cursor,
        values: values.get(called.id),
        followed: valuePath?.functions.get(called.id),
        onSelect,
      };
      const known = before.get(called.id);
      const isSelected = called.id === selected;
      if (known?.selected === isSelected && known.position === position && isSame(known.data, data))
        return [known];
      return [
        {
          id: called.id,
          type: 'entry',
          position,
          ...FUNCTION_CARD,
          selected: isSelected,
          selectable: false,
          focusable: false,
          // A card's values are drawn in front of the neighbouring cards.
          zIndex: data.values === undefined ? 0 : 1,
          data,
        },
      ];
    });
    before.clear();
    for (const node of nodes) before.set(node.id, node);
    return nodes;
  }, [drawn, layout, lit, selected, cursor, values, valuePath, onSelect, ids, before]);
}

function findTone({ id }: FunctionCalls, { drawn, lit }: Pick<NodeOptions, 'drawn' | 'lit'>): CardTone {
  if (!lit.has(id)) return 'faded';
  return drawn.opening?.kind === 'failing' && drawn.opening.path.has(id) ? 'failing' : 'lit';
}

type Data = FunctionFlowNode['data'];

function isSame(a: Data, b: Data): boolean {
  return (
    a.graph === b.graph &&
    a.called === b.called &&
    a.tone === b.tone &&
    a.isCursor === b.isCursor &&
    a.values === b.values &&
    a.followed === b.followed &&
    a.onSelect === b.onSelect
  );
}
