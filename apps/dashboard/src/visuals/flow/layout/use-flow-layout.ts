import { useEffect, useRef, useState } from 'react';
import type { FlowGraphData } from '../flow-types.ts';
import type { FlowLayout } from './flow-layout.ts';
import type { LayoutAnswer, LayoutRequest } from './flow-layout.worker.ts';

/** A graph with its layout. The previous layout stays while the next layout is computed, so that nothing flickers. */
export type PlacedFlow =
  | { readonly state: 'waiting' }
  | { readonly state: 'placed'; readonly graph: FlowGraphData; readonly layout: FlowLayout }
  | { readonly state: 'failed' };

/** Lays a graph out in a worker, so that the page is not blocked. */
export function useFlowLayout(graph: FlowGraphData): PlacedFlow {
  const [placed, setPlaced] = useState<PlacedFlow>({ state: 'waiting' });
  const worker = useRef<Worker>(undefined);
  const asked = useRef<{ readonly id: number; readonly graph: FlowGraphData }>(undefined);

  useEffect(() => {
    const started = new Worker(new URL('./flow-layout.worker.ts', import.meta.url), { type: 'module' });
    started.addEventListener('message', ({ data }: MessageEvent<LayoutAnswer>) => {
      if (asked.current?.id !== data.id) return;
      setPlaced({ state: 'placed', graph: asked.current.graph, layout: data.layout });
    });
    started.addEventListener('error', () => setPlaced({ state: 'failed' }));
    worker.current = started;
    return () => started.terminate();
  }, []);

  useEffect(() => {
    const id = (asked.current?.id ?? 0) + 1;
    asked.current = { id, graph };
    const request: LayoutRequest = { id, root: graph.root };
    worker.current?.postMessage(request);
  }, [graph]);

  return placed;
}
