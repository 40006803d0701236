import type { z } from 'zod';
import type { StripeSettings } from '../../../platform/config.ts';
import { AppError } from '../../../platform/http/errors.ts';
import { Failure } from './shapes.ts';

/** The API version whose objects `shapes.ts` reads. Stripe responds in this version, whichever the account's default is. */
export const API_VERSION = '2026-08-26.dahlia';
const TIMEOUT_MS = 20_000;
const TRIES = 3;
const RETRY_MS = 300;

/** A request's fields. Nested fields become `a[b][0]`, the form that Stripe reads. */
type Fields = {
  readonly [name: string]: string | number | boolean | Fields | readonly Fields[] | readonly string[];
};

interface StripeCall<S extends z.ZodType> {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** The path below /v1. */
  readonly path: string;
  readonly fields?: Fields;
  readonly answer: S;
  /** Stripe executes requests with the same key only once. */
  readonly idempotencyKey?: string;
}

export interface StripeClient {
  /** @throws AppError `payment_failed`, `payment_unavailable`; MissingAtStripe */
  call<S extends z.ZodType>(call: StripeCall<S>): Promise<z.output<S>>;
}

/** Thrown if Stripe does not know the requested object. */
export class MissingAtStripe extends Error {
  override readonly name = 'MissingAtStripe';
}

/**
 * Calls Stripe over HTTP. Stripe's npm library would install 23 MB for the dozen routes used here, and validates no response; here a schema
 * validates each response. The secret key is only in the header, never in an error, a log or a URL.
 */
export function createStripeClient({ secretKey, apiBase }: StripeSettings): StripeClient {
  const send = async <S extends z.ZodType>(given: StripeCall<S>): Promise<Response> => {
    const form = new URLSearchParams(given.fields === undefined ? [] : encodeFields(given.fields)).toString();
    const inAddress = given.method === 'GET' && form !== '';
    return fetch(`${apiBase}/v1/${given.path}${inAddress ? `?${form}` : ''}`, {
      method: given.method,
      headers: {
        authorization: `Bearer ${secretKey}`,
        'stripe-version': API_VERSION,
        ...(given.method === 'GET' ? {} : { 'content-type': 'application/x-www-form-urlencoded' }),
        ...(given.idempotencyKey === undefined ? {} : { 'idempotency-key': given.idempotencyKey }),
      },
      ...(given.method === 'GET' || form === '' ? {} : { body: form }),
      signal: AbortSignal.timeout(TIMEOUT_MS),
      redirect: 'error',
    });
  };
  const attempt = async <S extends z.ZodType>(given: StripeCall<S>): Promise<Response> => {
    // A failed POST is repeated only if it has an idempotency key. Otherwise Stripe could execute the POST twice.
    const mayRepeat = given.method !== 'POST' || given.idempotencyKey !== undefined;
    for (let tries = 1; ; tries += 1) {
      const last = !mayRepeat || tries === TRIES;
      const response = await send(given).catch((cause: unknown) => {
        if (last) throw buildUnavailableError(cause);
        return undefined;
      });
      const again =
        response === undefined ||
        response.status >= 500 ||
        response.status === 429 ||
        response.status === 409;
      if (response !== undefined && (!again || last)) return response;
      await response?.body?.cancel();
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS * tries));
    }
  };
  return {
    async call(given) {
      const response = await attempt(given);
      const body: unknown = await response.json().catch((cause: unknown) => {
        throw buildUnavailableError(cause);
      });
      if (!response.ok) throw toError(response.status, body);
      const read = given.answer.safeParse(body);
      if (!read.success)
        throw buildUnavailableError(
          new Error(`${given.path} returned an unexpected response: ${read.error.message}`),
        );
      return read.data;
    },
  };
}

function toError(status: number, body: unknown): Error {
  const { error } = Failure.catch({ error: { type: 'unknown' } }).parse(body);
  if (status === 402) return new AppError('payment_failed', error.message);
  if (status === 404 || error.code === 'resource_missing') return new MissingAtStripe(error.code);
  // Stripe's error messages can name the account, so they are only logged.
  return buildUnavailableError(
    new Error(`Stripe responded with ${status} ${error.type} ${error.code ?? ''} ${error.param ?? ''}`),
  );
}

function buildUnavailableError(cause: unknown): AppError {
  return new AppError('payment_unavailable', undefined, { cause, retryAfterSeconds: 60 });
}

function encodeFields(fields: Fields, prefix = ''): [string, string][] {
  return Object.entries(fields).flatMap(([name, value]): [string, string][] => {
    const key = prefix === '' ? name : `${prefix}[${name}]`;
    if (typeof value !== 'object') return [[key, String(value)]];
    if (!Array.isArray(value)) return encodeFields(value as Fields, key);
    return value.flatMap((member: string | Fields, index): [string, string][] =>
      typeof member === 'string' ? [[`${key}[${index}]`, member]] : encodeFields(member, `${key}[${index}]`),
    );
  });
}
