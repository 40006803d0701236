import type { TraceRow } from '@throughline/contract';
import { useViewParams } from '../../../shell/url-state/search-params.ts';
import type { Neighbours } from '../data/neighbours.tsx';
import { useEarlyComparison, useTrace, useUsual } from '../data/queries.ts';
import { TraceActions } from '../views/trace-actions.tsx';
import { TraceContent } from './trace-content.tsx';
import { TraceFrame } from './trace-frame.tsx';

interface TraceDialogsProps extends Neighbours {
  readonly traceId: string;
  /** The trace's row in the list, shown until the trace is loaded. */
  readonly row: TraceRow | undefined;
}

/** Shows the open trace as details or as a flow graph, as the URL specifies. */
export function TraceDialogs({ traceId, row, previous, next }: TraceDialogsProps) {
  const { view } = useViewParams();
  useEarlyComparison(traceId);
  const query = useTrace(traceId, row?.stepCount);
  const usual = useUsual(traceId);
  const trace = query.data?.trace;
  const flow = view === 'flow';
  return (
    <TraceFrame
      traceId={traceId}
      label={flow ? 'Flow graph' : 'Trace details'}
      row={trace ?? row}
      context={trace}
      usual={usual}
      previous={previous}
      next={next}
      actions={<TraceActions loaded={query.data} flow={flow} />}
    >
      <TraceContent query={query} flow={flow} />
    </TraceFrame>
  );
}
