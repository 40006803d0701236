import { type SplitTrace, splitFlow } from './split-flow.ts';

/** So many steps are parsed at once: a few milliseconds' work. */
const STEPS_IN_PART = 1000;

export type SplitAnswer = SplitTrace | undefined;

addEventListener('message', ({ data }: MessageEvent<ArrayBuffer>) => {
  const answer: SplitAnswer = splitFlow(new Uint8Array(data), STEPS_IN_PART);
  postMessage(answer);
});
