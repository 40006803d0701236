import { parseInstant, type TraceRow } from '@throughline/contract';

/** Returns the name of the service that handled a request. */
export function nameService({ service }: TraceRow): string {
  return service === '' ? 'Service' : service;
}

/** The called endpoint: "POST /checkout". */
export function formatCall({ request }: TraceRow): string {
  return `${request.method} ${request.path}`;
}

/** Formats the response's status: "500". */
export function formatAnswer({ response }: TraceRow): string {
  return response.statusCode === null ? 'no response' : String(response.statusCode);
}

/** Returns the milliseconds from one instant to another; negative if the second is earlier. */
export function computeMsBetween(from: string, startTime: string): number {
  const begin = parseInstant(from) ?? 0n;
  return Number((parseInstant(startTime) ?? begin) - begin) / 1000;
}
