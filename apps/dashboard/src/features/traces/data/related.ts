import { instantToMicros, type TraceRow } from '@throughline/contract';

/** Who answered a request. */
export function nameService({ service }: TraceRow): string {
  return service === '' ? 'Service' : service;
}

/** The called endpoint: "POST /checkout". */
export function formatCall({ request }: TraceRow): string {
  return `${request.method} ${request.path}`;
}

/** How it was answered: "500". */
export function formatAnswer({ response }: TraceRow): string {
  return response.statusCode === null ? 'no answer' : String(response.statusCode);
}

/** Milliseconds from one instant to another; negative for one before it. */
export function startedAfterMs(from: string, startTime: string): number {
  const begin = instantToMicros(from) ?? 0n;
  return Number((instantToMicros(startTime) ?? begin) - begin) / 1000;
}
