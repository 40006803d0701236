import type { CapturedValue, Step } from '@throughline/contract';
import { buildCurlText } from '../copy/curl-text.ts';
import { getMember } from './step-query.ts';

/** A valid HTTP method (RFC 9110, 9.1). */
const METHOD = /^[!#$%&'*+.^_`|~0-9a-z-]+$/i;

/**
 * Returns a curl command that repeats the request that a step sent to another server. Returns undefined for other steps, and if no valid
 * method or URL was captured.
 */
export function stepCurl({ stepType, inputs }: Step): string | undefined {
  if (stepType !== 'http') return undefined;
  const [method, url, body] = [
    getMember(inputs, 'method'),
    getMember(inputs, 'url'),
    getMember(inputs, 'body'),
  ];
  if (typeof method !== 'string' || !METHOD.test(method)) return undefined;
  if (typeof url !== 'string' || !/^https?:\/\//i.test(url)) return undefined;
  const headers = toHeaders(getMember(inputs, 'headers'));
  return buildCurlText({ method, path: url, url, headers, ...(body === undefined ? {} : { body }) });
}

function toHeaders(value: CapturedValue | undefined): Record<string, CapturedValue> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value))
    : {};
}
