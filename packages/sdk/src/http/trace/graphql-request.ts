import type { CapturedValue } from '@throughline/contract/values';
import { readOwnValue } from '../../internal/foreign.ts';
import { MESSAGE_LENGTH } from '../../record/snapshot/error.ts';
import { type Shorten, shortenText } from '../../record/snapshot/text.ts';
import type { StepError } from '../../record/types.ts';
import { readRequestHeader } from '../messages/headers.ts';
import type { TracedRequest } from '../messages/traced-message.ts';
import type { RequestTrace } from './request-trace.ts';

/** True if a client can send a GraphQL operation with this request. If false, the host's code can still execute an operation itself. */
export function mayCarryOperation(req: TracedRequest, target: string): boolean {
  if (req.method === 'GET') return /[?&](?:query|extensions)=/.test(target);
  return /json|graphql|multipart/i.test(readRequestHeader(req, 'content-type') ?? '');
}

/**
 * True if the request looks like a GraphQL operation: a GET request by its query parameters, any other request by its content type and by
 * the first bytes of its body.
 */
export function seemsToCarryOperation({ req, target, requestBody }: RequestTrace): boolean {
  if (!mayCarryOperation(req, target)) return false;
  return (
    req.method === 'GET' ||
    requestBody?.includes('"query"') === true ||
    requestBody?.includes('"extensions"') === true
  );
}

/**
 * Returns the first error in a GraphQL response body. An invalid operation is never executed, so its error is reported nowhere else.
 * Returns undefined if the request carries no operation or the response is not a GraphQL error.
 */
export function findErrorInAnswer(
  request: CapturedValue | undefined,
  answer: CapturedValue | undefined,
  shorten: Shorten,
): AnswerError | undefined {
  if (typeof readOwnValue(request, 'query') !== 'string' && readOwnValue(request, 'extensions') === undefined)
    return undefined;
  const errors = readOwnValue(answer, 'errors');
  const first: unknown = Array.isArray(errors) ? errors[0] : undefined;
  const message = readOwnValue(first, 'message');
  if (typeof message !== 'string') return undefined;
  const code = readOwnValue(readOwnValue(first, 'extensions'), 'code');
  return {
    error: {
      message: shortenText(message, MESSAGE_LENGTH, shorten),
      name: 'GraphQLError',
      ...(typeof code === 'string' && { code: shortenText(code, 100, shorten) }),
    },
    path: readOwnValue(first, 'path'),
  };
}

export interface AnswerError {
  readonly error: StepError;
  readonly path: unknown;
}

/** Adds an attribute to the trace: the GraphQL path of the failed field, such as `articles.0.author`. */
export function annotatePath(trace: RequestTrace, path: unknown): void {
  if (!Array.isArray(path) || path.length === 0 || trace.attributes?.['graphql.error.path'] !== undefined)
    return;
  const parts = path.filter((part) => typeof part === 'string' || typeof part === 'number');
  trace.annotate('graphql.error.path', trace.shorten(parts.join('.'), 1000));
}
