import { annotatePath } from '../../http/trace/graphql-request.ts';
import type { RequestTrace } from '../../http/trace/request-trace.ts';
import { ownValue, property } from '../../libraries/foreign.ts';
import type { ActiveStep } from '../../record/active-step.ts';

/** The first error of a result, whose answer has the status 200 all the same. */
export function findFirstError(result: unknown): unknown {
  const errors = property(property(result, 'initialResult') ?? result, 'errors');
  return Array.isArray(errors) ? errors[0] : undefined;
}

/** Makes the request a failed one. */
export function reportFirstError(trace: RequestTrace, step: ActiveStep, error: unknown): void {
  annotatePath(trace, property(error, 'path'));
  trace.reportError(findOriginal(error), step);
}

/** The error that a resolver threw, where the library put one of its own around it. */
export function findOriginal(error: unknown): unknown {
  const original = ownValue(error, 'originalError');
  return original instanceof Error ? original : error;
}
