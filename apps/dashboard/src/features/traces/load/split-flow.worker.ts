import { type SplitTrace, splitFlow } from './split-flow.ts';

/** The number of steps per part, which take a few milliseconds to parse. */
const STEPS_IN_PART = 1000;

export type SplitAnswer = SplitTrace | undefined;

addEventListener('message', ({ data }: MessageEvent<ArrayBuffer>) => {
  const answer: SplitAnswer = splitFlow(new Uint8Array(data), STEPS_IN_PART);
  postMessage(answer);
});
