import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type Cause, findCause } from '../opening/cause.ts';
import { buildStandOutOptions } from './queries.ts';
import { useHasSession } from './trace-calls.ts';

/**
 * Returns the step of the cause, if the server found the cause only after the trace was shown. Uses the server's first result for the
 * trace, so that a later result does not change the selected step.
 */
export function useLateCause(traceId: string): Cause | undefined {
  const hasSession = useHasSession();
  const { data } = useQuery({ ...buildStandOutOptions(traceId), enabled: hasSession });
  const [first, setFirst] = useState<{ readonly traceId: string; readonly cause: Cause | undefined }>();
  if (data !== undefined && first?.traceId !== traceId) setFirst({ traceId, cause: findCause(data) });
  return first?.traceId === traceId ? first.cause : undefined;
}
