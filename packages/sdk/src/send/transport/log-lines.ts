/** Lines for the host's log about traces that the server does not store. */

export const DOCTOR = 'npx @throughline/node doctor tests key and server';

export const VALUES_IN_BACKLOG = 'requests are sent without values, because too many are waiting to be sent';

export const VALUES_TOO_LARGE =
  'the values of a trace were left out, because its request is too large for the server or a proxy (413); raise the limit there, in nginx client_max_body_size';

/** `reason` describes the first rejected trace. */
export function describeRejection(reason: string): string {
  return `the server rejects traces: ${reason}; ${DOCTOR}`;
}

/** `reason` describes the response to the first of the batches that were refused when the process ended. */
export function describeRefusalAtEnd(traces: number, reason: string): string {
  return `${countDropped(traces)}, because the server did not accept ${traces === 1 ? 'it' : 'them'} when the process ended: ${reason}; ${DOCTOR}`;
}

export function describeTooManyAtEnd(traces: number): string {
  return `${countDropped(traces)}, because too many were waiting to be sent when the process ended; call shutdown() before the process ends`;
}

function countDropped(traces: number): string {
  return traces === 1 ? '1 trace was dropped' : `${traces} traces were dropped`;
}
