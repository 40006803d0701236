import type { Trace } from '@throughline/contract';
import { hasQuery, hasRequestBody } from '../parts/missing-part.ts';
import { BODY_FILE, type CurlCommand, listVariables } from './curl-text.ts';

type CurlRequest = Trace['request'];

/** Describes what a user must add to a command, or do, before the command sends the whole request. */
export function listCurlNotes(request: CurlRequest, { text, bodyFile }: CurlCommand): string[] {
  const variables = listVariables(text);
  const missing = listMissingParts(request);
  return [
    ...(bodyFile === undefined ? [] : [`The body is too long for a command and was saved as ${BODY_FILE}.`]),
    ...(isTemplate(request) ? ['The path is the template of the route: replace its parameters.'] : []),
    ...(missing.length === 0
      ? []
      : [`Not available here: ${missing.join(', ')}. Add those that the request had to the command.`]),
    ...(variables.length === 0
      ? []
      : [`Set these variables before you run the command: ${variables.join(', ')}.`]),
  ];
}

/**
 * Lists the parts that the command lacks although the request had them, or may have had them. An empty list of headers counts as lacking,
 * since each request has headers: traces without values store none.
 */
function listMissingParts(request: CurlRequest): string[] {
  return [
    ...(Object.keys(request.headers).length === 0 ? ['headers'] : []),
    ...(lacksQuery(request) ? ['query'] : []),
    ...(mayLackBody(request) ? ['body'] : []),
  ];
}

function lacksQuery(request: CurlRequest): boolean {
  const had = hasQuery(request);
  // OpenTelemetry, for example, can send a query that is no part of the URL.
  return had === undefined || (!had && Object.keys(request.query ?? {}).length > 0);
}

/**
 * True if it is unknown whether the request had a body, and none was captured. If the request certainly had a body, `buildCurlBody` puts
 * the variable `MISSING_BODY` in its place, so nothing is lacking.
 */
function mayLackBody(request: CurlRequest): boolean {
  const isWithout = request.method === 'GET' || request.method === 'HEAD';
  return !isWithout && request.body === undefined && hasRequestBody(request) === undefined;
}

/** True if the path is the route's template, as public viewers see it: `/orders/:id`. */
function isTemplate({ url, path, route }: CurlRequest): boolean {
  return url === null && path === route && /[:*{]/.test(path);
}
