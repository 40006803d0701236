import { layOutCalls } from './call-layout.ts';
import type { CallLayout, LayoutEdge, LayoutFunction } from './layout-types.ts';

/**
 * The page's request to the worker, and the worker's response with the request's `id`. The page uses only the response to its newest
 * request.
 */
export interface CallLayoutRequest {
  readonly id: number;
  readonly functions: readonly LayoutFunction[];
  readonly edges: readonly LayoutEdge[];
}
export interface CallLayoutAnswer {
  readonly id: number;
  readonly layout: CallLayout;
}

addEventListener('message', ({ data }: MessageEvent<CallLayoutRequest>) => {
  const answer: CallLayoutAnswer = { id: data.id, layout: layOutCalls(data.functions, data.edges) };
  postMessage(answer);
});
