import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type Cause, findCause } from '../opening/cause.ts';
import { buildStandOutOptions } from './queries.ts';
import { useHasSession } from './trace-calls.ts';

/**
 * Returns the step that the server names as the cause of an error or slowness, also if the response arrives after the trace is shown. Only
 * the first response for a trace counts, so that a later response does not change the selected step.
 */
export function useLateCause(traceId: string): Cause | undefined {
  const hasSession = useHasSession();
  const { data } = useQuery({ ...buildStandOutOptions(traceId), enabled: hasSession });
  const [first, setFirst] = useState<{ readonly traceId: string; readonly cause: Cause | undefined }>();
  if (data !== undefined && first?.traceId !== traceId) setFirst({ traceId, cause: findCause(data) });
  return first?.traceId === traceId ? first.cause : undefined;
}
