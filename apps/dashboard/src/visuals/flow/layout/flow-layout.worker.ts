import type { FlowBlock } from '../flow-types.ts';
import { type FlowLayout, layOutFlow } from './flow-layout.ts';

/**
 * The page's request to the worker, and the worker's response with the request's `id`. The page uses only the response to its newest
 * request.
 */
export interface LayoutRequest {
  readonly id: number;
  readonly root: FlowBlock;
}
export interface LayoutAnswer {
  readonly id: number;
  readonly layout: FlowLayout;
}

addEventListener('message', ({ data }: MessageEvent<LayoutRequest>) => {
  const answer: LayoutAnswer = { id: data.id, layout: layOutFlow(data.root) };
  postMessage(answer);
});
