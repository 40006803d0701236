export { type AssembledStep, assemble, type SpanLink } from './assemble.ts';
export {
  findOwners,
  listSpans,
  readStepText,
  readStepTextPages,
  readStepTexts,
  type SpanRequest,
} from './read.ts';
export type { SpanFacts } from './requests-store.ts';
export { createSettling, type SpanLimits } from './settle.ts';
export { deriveTraceId } from './span-identity.ts';
export {
  countSpans,
  deleteSpans,
  findFewLinks,
  formatKey,
  insertSpans,
  type SpanKey,
  type TraceKey,
} from './store.ts';
