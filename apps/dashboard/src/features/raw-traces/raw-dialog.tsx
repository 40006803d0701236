import { useMemo } from 'react';
import { ErrorNotice } from '../../ui/feedback/error-notice.tsx';
import { RowsSkeleton } from '../../ui/feedback/skeletons.tsx';
import { JsonView } from '../../visuals/json/json-view.tsx';
import { useJsonLines } from '../../visuals/json/use-json-lines.ts';
import type { OpenedTrace } from '../trace-list/index.ts';
import { TraceFrame } from '../traces/index.ts';
import { getText, useRawTrace } from './queries.ts';
import classes from './raw-dialog.module.css';

export function RawDialog({ traceId, row, previous, next }: OpenedTrace) {
  return (
    <TraceFrame
      traceId={traceId}
      label="Raw trace"
      row={row}
      context={undefined}
      usual={undefined}
      previous={previous}
      next={next}
    >
      <RawJson key={traceId} traceId={traceId} />
    </TraceFrame>
  );
}

function RawJson({ traceId }: { readonly traceId: string }) {
  const raw = useRawTrace(traceId);
  const { data: answer } = raw;
  const opened = useJsonLines(useMemo(() => answer && getText(answer), [answer]));
  if (opened.state === 'opened') {
    return (
      <div className={classes.json}>
        <JsonView
          lines={opened.lines}
          loadedBytes={opened.loadedBytes}
          find={opened.find}
          label="Trace as JSON"
          fileName={`trace-${traceId}.json`}
        />
      </div>
    );
  }
  const failure = opened.state === 'refused' ? opened.error : raw.error;
  return (
    <div className={classes.waiting}>
      {failure === null ? (
        <RowsSkeleton what="trace" rows={12} />
      ) : (
        <ErrorNotice
          what={raw.isError ? 'The trace could not be loaded.' : 'The trace could not be read.'}
          error={failure}
          onRetry={() => void raw.refetch()}
          retrying={raw.isFetching}
        />
      )}
    </div>
  );
}
