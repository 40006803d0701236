import { CloseButton, Modal } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { type ReactNode, useEffect, useRef } from 'react';
import { useChangeView } from '../../../shell/url-state/search-params.ts';
import { useFocusBack } from '../../../ui/hooks/use-focus-back.ts';
import { NeighbourButtons, type Neighbours } from '../data/neighbours.tsx';
import { useNeighbourKeys } from '../data/use-neighbour-keys.ts';
import { OpenAsPage } from './open-as-page.tsx';
import classes from './trace-dialog.module.css';
import { TraceHeader, type TraceInWords } from './trace-header.tsx';

/** Changes to the URL that close the trace: removes the trace and all parameters of its view. */
const NOTHING_OPEN = {
  trace: undefined,
  view: undefined,
  step: undefined,
  find: undefined,
  kind: undefined,
  only: undefined,
  graph: undefined,
  order: undefined,
  group: undefined,
  compare: undefined,
  origin: undefined,
};

interface TraceFrameProps extends Neighbours, TraceInWords {
  readonly traceId: string;
  /** The accessible name of the dialog. */
  readonly label: string;
  /** The trace's actions, before the navigation. */
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

/** The dialog that shows a trace over its list: the request, and buttons to the neighbouring traces, to the trace's page, and to close. */
export function TraceFrame({ traceId, label, actions, children, ...rest }: TraceFrameProps) {
  const { row, context, usual, previous, next } = rest;
  const change = useChangeView();
  const narrow = useMediaQuery('(max-width: 767.98px)') ?? false;
  const close = () => change(NOTHING_OPEN);
  const content = useRef<HTMLDivElement>(null);
  useFocusBack();
  // Another trace or view can remove the element with the focus. The dialog then takes the focus, so that its keyboard shortcuts still
  // work.
  useEffect(() => {
    const holder = content.current;
    const focused = document.activeElement;
    // A dialog above this dialog keeps the focus.
    if (focused?.closest('[role="dialog"]') != null) return;
    if (holder !== null && !holder.contains(focused)) holder.focus();
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
      <Modal.Content ref={content} aria-label={label} tabIndex={-1}>
        <Modal.Body>
          <TraceHeader row={row} context={context} usual={usual} heading="h2">
            {actions}
            <OpenAsPage traceId={traceId} />
            <NeighbourButtons previous={previous} next={next} />
            <CloseButton aria-label="Close" onClick={close} />
          </TraceHeader>
          {children}
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  );
}
