import { useEffect, useRef, useState } from 'react';
import type { CallLayoutAnswer, CallLayoutRequest } from './call-layout.worker.ts';
import type { CallLayout, LayoutEdge, LayoutFunction } from './layout-types.ts';

/** The input of the layout: functions, and calls without cycles. */
export interface CallLayoutInput {
  readonly functions: readonly LayoutFunction[];
  readonly edges: readonly LayoutEdge[];
}

/** An input with its layout. The previous layout stays while the next layout is computed. */
export type PlacedCalls<Input extends CallLayoutInput> =
  | { readonly state: 'waiting' }
  | { readonly state: 'placed'; readonly id: number; readonly input: Input; readonly layout: CallLayout }
  | { readonly state: 'failed' };

/** Lays functions out in a worker, because the layout of thousands of functions takes about a second. */
export function useCallLayout<Input extends CallLayoutInput>(input: Input | undefined): PlacedCalls<Input> {
  const [placed, setPlaced] = useState<PlacedCalls<Input>>({ state: 'waiting' });
  const worker = useRef<Worker>(undefined);
  const asked = useRef<{ readonly id: number; readonly input: Input }>(undefined);

  useEffect(() => {
    const started = new Worker(new URL('./call-layout.worker.ts', import.meta.url), { type: 'module' });
    started.addEventListener('message', ({ data }: MessageEvent<CallLayoutAnswer>) => {
      if (asked.current?.id !== data.id) return;
      setPlaced({ state: 'placed', id: data.id, input: asked.current.input, layout: data.layout });
    });
    started.addEventListener('error', () => setPlaced({ state: 'failed' }));
    worker.current = started;
    return () => started.terminate();
  }, []);

  useEffect(() => {
    if (input === undefined) return;
    const id = (asked.current?.id ?? 0) + 1;
    asked.current = { id, input };
    const request: CallLayoutRequest = { id, functions: input.functions, edges: input.edges };
    worker.current?.postMessage(request);
  }, [input]);

  return placed;
}
