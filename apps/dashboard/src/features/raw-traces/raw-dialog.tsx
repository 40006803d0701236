import { CloseButton, Modal } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useEffect, useRef } from 'react';
import { useChangeView } from '../../shell/search-params.ts';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { RowsSkeleton } from '../../ui/skeletons.tsx';
import { useFocusBack } from '../../ui/use-focus-back.ts';
import { JsonView } from '../../visuals/json/json-view.tsx';
import { useJsonLines } from '../../visuals/json/use-json-lines.ts';
import type { OpenedTrace } from '../trace-list/trace-list.tsx';
import { NeighbourButtons } from '../traces/neighbours.tsx';
import { OpenAsPage } from '../traces/open-as-page.tsx';
import { TraceHeader } from '../traces/trace-header.tsx';
import { useNeighbourKeys } from '../traces/use-neighbour-keys.ts';
import { useRawTrace } from './queries.ts';
import classes from './raw-dialog.module.css';

/** The open trace as JSON. */
export function RawDialog({ traceId, row, previous, next }: OpenedTrace) {
  const change = useChangeView();
  const narrow = useMediaQuery('(max-width: 767.98px)') ?? false;
  const raw = useRawTrace(traceId);
  const close = () => change({ trace: undefined, view: undefined, step: undefined });
  const content = useRef<HTMLDivElement>(null);
  useFocusBack();
  // What had the focus may go with the trace before; the dialog's keys must go on working.
  useEffect(() => {
    const holder = content.current;
    if (holder !== null && !holder.contains(document.activeElement)) holder.focus();
  });
  const onKeyDown = useNeighbourKeys({ previous, next });
  return (
    <Modal.Root
      opened
      onClose={close}
      fullScreen={narrow}
      size="90vw"
      yOffset="5dvh"
      onKeyDown={onKeyDown}
      classNames={{ content: classes.content, body: classes.body }}
    >
      <Modal.Overlay />
      <Modal.Content ref={content} aria-label="Raw trace" tabIndex={-1}>
        <Modal.Body>
          <TraceHeader row={row} serviceVersion={undefined} heading="h2">
            <OpenAsPage traceId={traceId} />
            <NeighbourButtons previous={previous} next={next} />
            <CloseButton aria-label="Close" onClick={close} />
          </TraceHeader>
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
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
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
