import { annotatePath } from '../../http/graphql-request.ts';
import type { RequestTrace } from '../../http/request-trace.ts';
import { ownValue, property } from '../../libraries/foreign.ts';
import type { OpenStep } from '../../record/open-step.ts';

/** What a result says went wrong first, though its answer has the status 200. */
export function findFirstError(result: unknown): unknown {
  const errors = property(property(result, 'initialResult') ?? result, 'errors');
  return Array.isArray(errors) ? errors[0] : undefined;
}

/** Makes the request a failed one. */
export function reportFirstError(trace: RequestTrace, step: OpenStep, error: unknown): void {
  annotatePath(trace, property(error, 'path'));
  trace.reportError(originalOf(error), step);
}

/** What a resolver threw, where the library put an error of its own around it. */
export function originalOf(error: unknown): unknown {
  const original = ownValue(error, 'originalError');
  return original instanceof Error ? original : error;
}
