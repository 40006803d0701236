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
  byEndpoint,
  isWaiting,
  median,
  type SeenRequest,
  type SeenStep,
  whatIsAsked,
} from './step-tree.ts';
