import { isErrorTrace, type RelatedTrace, type Step, type Trace } from '@throughline/contract';
import { useMemo } from 'react';
import { buildSequence, type SequenceRequest } from '../../visuals/sequence/sequence-data.ts';
import { SequenceDiagram } from '../../visuals/sequence/sequence-diagram.tsx';
import { buildStepForest } from '../../visuals/steps/step-forest.ts';
import { answerOf, callOf, serviceOf, startedAfterMs } from './related.ts';
import { useRelated, useRelatedSteps } from './related-queries.ts';
import type { Selection } from './use-selection.ts';

interface SequenceProps {
  readonly trace: Trace;
  readonly selection: Selection;
  readonly onOpen: (traceId: string) => void;
}

const NONE: readonly RelatedTrace[] = [];

/** Who asked whom for what: this service, its databases and outside hosts, and the other traced services of the distributed trace. */
export function Sequence({ trace, selection, onOpen }: SequenceProps) {
  const related = useRelated(trace).data ?? NONE;
  const flows = useRelatedSteps(related);
  const { forest } = selection;
  const sequence = useMemo(() => {
    const first = { ...requestOf(trace, trace, trace.flow), forest };
    return buildSequence(
      first,
      related.map((other) => requestOf(other, trace, flows.get(other._id) ?? [])),
    );
  }, [trace, forest, related, flows]);
  return (
    <SequenceDiagram
      sequence={sequence}
      requestId={trace._id}
      selected={selection.key}
      onSelect={selection.select}
      onOpen={onOpen}
    />
  );
}

function requestOf(request: RelatedTrace, shown: Trace, flow: readonly Step[]): SequenceRequest {
  const { startTime, duration } = request.timing;
  return {
    id: request._id,
    service: serviceOf(request),
    name: callOf(request),
    answer: answerOf(request),
    failed: isErrorTrace(request.response.statusCode, request.error.hasError),
    startMs: startedAfterMs(shown.timing.startTime, startTime),
    durationMs: duration,
    parentSpanId: request.parentSpanId,
    forest: buildStepForest(flow, startTime),
  };
}
