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
  mergeEnvironments,
  type SeenRequest,
  type SeenStep,
} from './step-tree.ts';
