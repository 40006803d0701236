export {
  areIndependent,
  type Candidate,
  type Captured,
  computeSaving,
  findCandidates,
  findRuns,
  mayDepend,
  type Sequence,
} from './sequential.ts';
export {
  buildCallKey,
  computeMedian,
  groupByEndpoint,
  isWaiting,
  type SeenRequest,
  type SeenStep,
} from './step-tree.ts';
