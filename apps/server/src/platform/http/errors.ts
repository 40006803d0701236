import {
  API_LIMITS,
  type ApiLimitName,
  describeApiExcess,
  ERRORS,
  type ErrorAnswer,
  type ErrorCode,
  type ErrorDetails,
  isOperatorError,
  MAX_REPORTED_FIELDS,
} from '@throughline/contract';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { isUnreachable } from '../unreachable.ts';
import { discardRest } from './limits/discard-rest.ts';

export interface AppErrorOptions {
  readonly details?: ErrorDetails;
  /** The caller can retry after this time. Rounded up to whole seconds for the header `Retry-After`. */
  readonly retryAfterSeconds?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly cause?: unknown;
  /** True if the operator was already informed of this problem, so that the problem does not fill the log when it recurs. */
  readonly logged?: boolean;
}

/** An error reported to the caller: its code determines the status, and its message is shown to the user. */
export class AppError extends Error {
  override readonly name = 'AppError';
  readonly code: ErrorCode;
  readonly details: ErrorDetails | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly logged: boolean;

  constructor(code: ErrorCode, message?: string, options: AppErrorOptions = {}) {
    super(message ?? ERRORS[code].meaning, { cause: options.cause });
    this.code = code;
    this.details = options.details;
    this.logged = options.logged ?? false;
    this.headers = {
      ...options.headers,
      ...(options.retryAfterSeconds === undefined
        ? {}
        : { 'retry-after': String(Math.max(1, Math.ceil(options.retryAfterSeconds))) }),
    };
  }

  get status(): number {
    return ERRORS[this.code].status;
  }
}

/** Builds the error for one invalid field. `message` is the field's message in the details, `shown` the message of the whole error. */
export function refuseField(path: string, message: string, shown = message): AppError {
  return new AppError('validation_failed', shown, { details: { fields: [{ path, message }] } });
}

/** Maximum characters of a field's path, and of its message, in an error response: both can contain names chosen by the caller. */
const MAX_FIELD_TEXT = 300;

/**
 * Converts a schema's issues to an error. The error's message is the message of the first issue. The details list the first invalid fields
 * with their paths, and count the others.
 */
export function buildValidationError(error: z.ZodError): AppError {
  const fields = error.issues.slice(0, MAX_REPORTED_FIELDS).map((issue) => ({
    path: cut(issue.path.join('.')),
    message: cut(issue.message),
  }));
  const moreFields = error.issues.length - fields.length;
  return new AppError('validation_failed', fields[0]?.message, {
    details: { fields, ...(moreFields === 0 ? {} : { moreFields }) },
  });
}

function cut(text: string): string {
  return text.length <= MAX_FIELD_TEXT ? text : `${text.slice(0, MAX_FIELD_TEXT).toWellFormed()}…`;
}

export function buildApiLimitError(name: ApiLimitName, cause?: unknown): AppError {
  return new AppError('payload_too_large', describeApiExcess(name), {
    details: { limit: API_LIMITS[name].max, limitName: name },
    cause,
  });
}

export function buildErrorAnswer(error: AppError, requestId: string): ErrorAnswer {
  return {
    error: {
      code: error.code,
      message: error.message,
      remedy: ERRORS[error.code].remedy,
      requestId,
      ...(error.details === undefined ? {} : { details: error.details }),
    },
    message: error.message,
    ...(error.details?.upgradeRequired === true ? { upgradeRequired: true } : {}),
  };
}

/** Requests that were rejected with an error that users may report to the operator, each with the error's code. */
const refused = new WeakMap<FastifyRequest, ErrorCode>();

/** Returns the code of the error with which a request was rejected, if users may report it to the operator. */
export function findOperatorError(request: FastifyRequest): ErrorCode | undefined {
  return refused.get(request);
}

/**
 * Sends an error in the product's format, or in the format of another protocol. Details that the caller must not see are only logged, with
 * the request's id.
 */
export function sendError(
  thrown: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  answer: (error: AppError, requestId: string) => unknown = buildErrorAnswer,
): FastifyReply {
  const isTooLarge = isBodyTooLarge(thrown);
  const error = isTooLarge ? buildApiLimitError(nameOfBodyLimit(request), thrown) : toAppError(thrown);
  if (isTooLarge) {
    // If this header were set, Fastify would close the connection while the caller is still sending the body.
    reply.removeHeader('connection');
    discardRest(request.raw);
  }
  if (error.code === 'internal') request.log.error({ err: thrown }, 'request failed');
  else if (error.status >= 500 && !error.logged) request.log.warn({ err: thrown }, error.message);
  if (isOperatorError(error.code)) refused.set(request, error.code);
  return reply
    .code(error.status)
    .headers({ ...error.headers, 'x-request-id': request.id, 'cache-control': 'no-store' })
    .send(answer(error, request.id));
}

/** Registers the handler that converts all errors to responses. */
export function registerErrors(app: FastifyInstance): void {
  app.setErrorHandler((error, request, reply) => sendError(error, request, reply));
}

const FRAMEWORK_ERRORS: Readonly<Record<string, AppErrorInit>> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: { code: 'unsupported_media_type', message: 'Send application/json.' },
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: {
    code: 'invalid_json',
    message: 'The body is shorter or longer than its content-length says.',
  },
  FST_ERR_BAD_URL: { code: 'validation_failed', message: 'The URL is malformed.' },
  FST_STATIC_FORBIDDEN_PATH: { code: 'not_found', message: ERRORS.not_found.meaning },
  FST_ERR_MAX_PARAM_LENGTH: { code: 'not_found', message: ERRORS.not_found.meaning },
};

function isBodyTooLarge(thrown: unknown): boolean {
  return isFastifyError(thrown) && thrown.code === 'FST_ERR_CTP_BODY_TOO_LARGE';
}

function nameOfBodyLimit(request: FastifyRequest): ApiLimitName {
  return request.routeOptions.bodyLimit === API_LIMITS.openBodyBytes.max ? 'openBodyBytes' : 'bodyBytes';
}

interface AppErrorInit {
  readonly code: ErrorCode;
  readonly message: string;
}

/** Converts any thrown value to the error that the caller receives. */
export function toAppError(thrown: unknown): AppError {
  if (thrown instanceof AppError) return thrown;
  if (isFastifyError(thrown)) {
    const known = FRAMEWORK_ERRORS[thrown.code];
    if (known !== undefined) return new AppError(known.code, known.message, { cause: thrown });
    if (thrown instanceof SyntaxError && thrown.statusCode === 400) {
      return new AppError('invalid_json', `The body is not JSON: ${thrown.message}`, { cause: thrown });
    }
    if (thrown.statusCode === 400) return new AppError('validation_failed', undefined, { cause: thrown });
  }
  if (isUnreachable(thrown))
    return new AppError('unavailable', undefined, { cause: thrown, retryAfterSeconds: 5 });
  return new AppError('internal', undefined, { cause: thrown });
}

function isFastifyError(thrown: unknown): thrown is FastifyError {
  return thrown instanceof Error && ('code' in thrown || 'statusCode' in thrown);
}
