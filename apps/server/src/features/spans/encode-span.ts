import { SPAN_PLACE, SPAN_PROJECT, type SpanPlace } from '../../platform/trace-store/index.ts';

/** Encodes a span as a TabSeparated row. `step` and `storedAt` must already be encoded. */
export function encodeSpan(span: SpanPlace, step: string, projectId: string, storedAt: string): string {
  return `${SPAN_PROJECT.write(projectId)}\t${SPAN_PLACE.write(span)}\t${step}\t${storedAt}\n`;
}
