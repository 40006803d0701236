import type { CapturedValue } from '@throughline/contract/values';
import { ownValue } from '../../libraries/foreign.ts';
import type { StepError } from '../../record/types.ts';
import type { TracedRequest } from '../messages/traced-message.ts';
import type { RequestTrace } from './request-trace.ts';

/** True where a request can ask a GraphQL server for something: others may execute operations for their own ends. */
export function mayCarryOperation({ method, headers }: TracedRequest, target: string): boolean {
  if (method === 'GET') return /[?&](?:query|extensions)=/.test(target);
  return /json|graphql|multipart/i.test(headers['content-type'] ?? '');
}

/**
 * The first of the errors in the answer to an operation, as its bodies show it: an operation that is not valid is never executed. Undefined where the request has none, or the answer
 * is no such one.
 */
export function errorInAnswer(
  request: CapturedValue | undefined,
  answer: CapturedValue | undefined,
): AnswerError | undefined {
  if (typeof ownValue(request, 'query') !== 'string' && ownValue(request, 'extensions') === undefined)
    return undefined;
  const errors = ownValue(answer, 'errors');
  const first: unknown = Array.isArray(errors) ? errors[0] : undefined;
  const message = ownValue(first, 'message');
  if (typeof message !== 'string') return undefined;
  const code = ownValue(ownValue(first, 'extensions'), 'code');
  return {
    error: { message, name: 'GraphQLError', ...(typeof code === 'string' && { code }) },
    path: ownValue(first, 'path'),
  };
}

export interface AnswerError {
  readonly error: StepError;
  readonly path: unknown;
}

/** Notes where in the answer an error is: `articles.0.author`. */
export function annotatePath(trace: RequestTrace, path: unknown): void {
  if (!Array.isArray(path) || path.length === 0 || trace.attributes?.['graphql.error.path'] !== undefined)
    return;
  const parts = path.filter((part) => typeof part === 'string' || typeof part === 'number');
  trace.annotate('graphql.error.path', parts.join('.').slice(0, 1000));
}
