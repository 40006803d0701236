import { CloseButton, Modal } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import type { TraceRow } from '@throughline/contract';
import { useEffect, useRef } from 'react';
import { useChangeView, useViewParams } from '../../shell/search-params.ts';
import { useFocusBack } from '../../ui/use-focus-back.ts';
import { CopyMenu } from './copy-menu.tsx';
import { NeighbourButtons, type Neighbours } from './neighbours.tsx';
import { OpenAsPage } from './open-as-page.tsx';
import { useTrace } from './queries.ts';
import { SwitchLook } from './switch-look.tsx';
import { TraceContent } from './trace-content.tsx';
import classes from './trace-dialog.module.css';
import { TraceHeader } from './trace-header.tsx';
import { useNeighbourKeys } from './use-neighbour-keys.ts';

interface TraceDialogsProps extends Neighbours {
  readonly traceId: string;
  /** What the list knows of the trace: shown until the trace itself is there. */
  readonly row: TraceRow | undefined;
}

/** The open trace: its details, or its flow graph, as the address says. */
export function TraceDialogs({ traceId, row, previous, next }: TraceDialogsProps) {
  const { view } = useViewParams();
  const change = useChangeView();
  const narrow = useMediaQuery('(max-width: 767.98px)') ?? false;
  const query = useTrace(traceId, row?.stepCount);
  const flow = view === 'flow';
  const close = () => change({ trace: undefined, view: undefined, step: undefined });
  const content = useRef<HTMLDivElement>(null);
  useFocusBack();
  // What had the focus may go with the trace or view before; the dialog's keys must go on working.
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
      <Modal.Content ref={content} aria-label={flow ? 'Flow graph' : 'Trace details'} tabIndex={-1}>
        <Modal.Body>
          <TraceHeader
            row={query.data?.trace ?? row}
            serviceVersion={query.data?.trace.serviceVersion}
            heading="h2"
          >
            <SwitchLook flow={flow} />
            {query.data !== undefined && <CopyMenu trace={query.data.trace} />}
            <OpenAsPage traceId={traceId} />
            <NeighbourButtons previous={previous} next={next} />
            <CloseButton aria-label="Close" onClick={close} />
          </TraceHeader>
          <TraceContent query={query} flow={flow} />
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  );
}
