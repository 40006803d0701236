import type { QueryClient } from '@tanstack/react-query';
import type { CapturedValue, Trace, TracePart } from '@throughline/contract';
import { buildPartOptions } from '../data/queries.ts';

/** Returns a trace's request with the parts that were too large to be sent with the trace. Rejects if the parts cannot be fetched. */
export async function withRequestParts(trace: Trace, client: QueryClient): Promise<Trace['request']> {
  const fetched = async (part: TracePart): Promise<CapturedValue | undefined> => {
    if (trace.leftOut?.some((each) => each.part === part) !== true) return undefined;
    return (await client.fetchQuery(buildPartOptions(trace._id, part))).value;
  };
  const [headers, body] = await Promise.all([fetched('request.headers'), fetched('request.body')]);
  return {
    ...trace.request,
    ...(isHeaders(headers) && { headers }),
    ...(body !== undefined && { body }),
  };
}

function isHeaders(value: CapturedValue | undefined): value is Trace['request']['headers'] {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
