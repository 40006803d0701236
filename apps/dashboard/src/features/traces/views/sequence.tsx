import { isErrorTrace, type RelatedTrace, type Trace } from '@throughline/contract';
import { useCallback } from 'react';
import { buildSequenceWork, type SequenceRequest } from '../../../visuals/sequence/sequence-data.ts';
import { SequenceDiagram } from '../../../visuals/sequence/sequence-diagram.tsx';
import { buildStepForest, type StepForest } from '../../../visuals/steps/analysis/step-forest.ts';
import { useWork } from '../../../visuals/work/use-work.ts';
import { Working } from '../../../visuals/work/working.tsx';
import { computeMsBetween, formatAnswer, formatCall, nameService } from '../data/related.ts';
import { useRelatedSteps } from '../data/related-queries.ts';
import type { Selection } from '../data/use-selection.ts';

interface SequenceProps {
  readonly trace: Trace;
  /** The other requests of the distributed trace; undefined until loaded. */
  readonly related: readonly RelatedTrace[] | undefined;
  readonly selection: Selection;
  readonly onOpen: (traceId: string) => void;
}

const NONE: readonly RelatedTrace[] = [];

/**
 * Shows which service called which: this service, its databases and external hosts, and the other traced services of the distributed
 * trace.
 */
export function Sequence({ trace, related = NONE, selection, onOpen }: SequenceProps) {
  const flows = useRelatedSteps(related);
  const { forest } = selection;
  const begin = useCallback(() => {
    const others = related.map((other) =>
      toSequenceRequest(other, trace, buildStepForest({ ...other, flow: flows.get(other._id) ?? [] })),
    );
    return buildSequenceWork(toSequenceRequest(trace, trace, forest), others);
  }, [trace, forest, related, flows]);
  const sequence = useWork(begin, forest.all.length);
  if (sequence === undefined) return <Working what="sequence" />;
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

function toSequenceRequest(request: RelatedTrace, shown: Trace, forest: StepForest): SequenceRequest {
  const { startTime, duration } = request.timing;
  return {
    id: request._id,
    service: nameService(request),
    name: formatCall(request),
    answer: formatAnswer(request),
    failed: isErrorTrace(request.response.statusCode, request.error.hasError),
    startMs: computeMsBetween(shown.timing.startTime, startTime),
    durationMs: duration,
    parentSpanId: request.parentSpanId,
    forest,
  };
}
