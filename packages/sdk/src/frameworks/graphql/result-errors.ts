import { annotatePath } from '../../http/trace/graphql-request.ts';
import type { RequestTrace } from '../../http/trace/request-trace.ts';
import { readOwnValue, readProperty } from '../../internal/foreign.ts';
import type { ActiveStep } from '../../record/active-step.ts';

/** Finds the first error of a GraphQL result. The response's status is 200 even if the result has errors. */
export function findFirstError(result: unknown): unknown {
  const errors = readProperty(readProperty(result, 'initialResult') ?? result, 'errors');
  return Array.isArray(errors) ? errors[0] : undefined;
}

/**
 * Reports the error on the step and on the request, which then counts as failed. Adds the error's GraphQL path, such as
 * `articles.0.author`, to the trace as an attribute.
 */
export function reportFirstError(trace: RequestTrace, step: ActiveStep, error: unknown): void {
  annotatePath(trace, readProperty(error, 'path'));
  trace.reportError(findOriginal(error), step);
}

/** Finds the error that a resolver threw, if the library wrapped it in an error of its own. */
export function findOriginal(error: unknown): unknown {
  const original = readOwnValue(error, 'originalError');
  return original instanceof Error ? original : error;
}
