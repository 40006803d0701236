export { openTraceStore, type QueryParams, type TraceStore } from './open.ts';
export * from './tab-separated.ts';
export * from './trace-id.ts';
