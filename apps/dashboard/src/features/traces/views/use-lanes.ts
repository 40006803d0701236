import { isErrorTrace, type RelatedTrace, type Trace } from '@throughline/contract';
import { useMemo } from 'react';
import { buildLanes, type Lane, type LaneRequest } from '../../../visuals/timeline/lanes/lanes-data.ts';
import { computeMsBetween, formatCall, nameService } from '../data/related.ts';

const NONE: readonly Lane[] = [];

/** Returns the services of a distributed trace with their requests; empty until loaded, or if the trace stayed within one service. */
export function useLanes(trace: Trace, related: readonly RelatedTrace[] | undefined): readonly Lane[] {
  return useMemo(() => {
    if (related === undefined) return NONE;
    return buildLanes([trace, ...related].map((request) => toLaneRequest(request, trace)));
  }, [trace, related]);
}

function toLaneRequest(request: RelatedTrace, shown: Trace): LaneRequest {
  const fromMs = computeMsBetween(shown.timing.startTime, request.timing.startTime);
  return {
    id: request._id,
    service: nameService(request),
    name: formatCall(request),
    failed: isErrorTrace(request.response.statusCode, request.error.hasError),
    own: request._id === shown._id,
    fromMs,
    toMs: fromMs + request.timing.duration,
  };
}
