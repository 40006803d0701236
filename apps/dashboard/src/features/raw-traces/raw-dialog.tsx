import { ErrorNotice } from '../../ui/error-notice.tsx';
import { RowsSkeleton } from '../../ui/skeletons.tsx';
import { JsonView } from '../../visuals/json/json-view.tsx';
import { useJsonLines } from '../../visuals/json/use-json-lines.ts';
import type { OpenedTrace } from '../trace-list/trace-list.tsx';
import { TraceFrame } from '../traces/trace-frame.tsx';
import { useRawTrace } from './queries.ts';
import classes from './raw-dialog.module.css';

/** The open trace as JSON. */
export function RawDialog({ traceId, row, previous, next }: OpenedTrace) {
  const raw = useRawTrace(traceId);
  return (
    <TraceFrame
      traceId={traceId}
      label="Raw trace"
      row={row}
      serviceVersion={undefined}
      previous={previous}
      next={next}
    >
      {raw.data !== undefined ? (
        <RawJson
          key={traceId}
          bytes={raw.data}
          fileName={`trace-${traceId}.json`}
          onRetry={() => void raw.refetch()}
        />
      ) : (
        <div className={classes.waiting}>
          {raw.isError ? (
            <ErrorNotice
              what="The trace could not be loaded."
              error={raw.error}
              onRetry={() => void raw.refetch()}
              retrying={raw.isFetching}
            />
          ) : (
            <RowsSkeleton what="trace" rows={12} />
          )}
        </div>
      )}
    </TraceFrame>
  );
}

interface RawJsonProps {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly fileName: string;
  readonly onRetry: () => void;
}

function RawJson({ bytes, fileName, onRetry }: RawJsonProps) {
  const opened = useJsonLines(bytes);
  if (opened.state === 'opened') {
    return <JsonView lines={opened.lines} find={opened.find} label="Trace as JSON" fileName={fileName} />;
  }
  return (
    <div className={classes.waiting}>
      {opened.state === 'refused' ? (
        <ErrorNotice what="The trace could not be read." error={opened.error} onRetry={onRetry} />
      ) : (
        <RowsSkeleton what="trace" rows={12} />
      )}
    </div>
  );
}
