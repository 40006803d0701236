import { ActionIcon, CloseButton, Tooltip } from '@mantine/core';
import { IconChevronDown, IconChevronUp } from '@tabler/icons-react';
import type { TraceRow } from '@throughline/contract';
import type { ReactNode } from 'react';
import { useChangeView } from '../../shell/search-params.ts';
import { DurationText, MethodBadge, StatusBadge } from '../../ui/badges.tsx';
import { Timestamp } from '../../ui/timestamp.tsx';
import { quoteless } from '../../visuals/values/quoteless.ts';
import classes from './trace-dialog.module.css';

export interface Neighbours {
  /** `_id`s of the traces above and below in the list. */
  readonly previous: string | undefined;
  readonly next: string | undefined;
}

interface TraceHeaderProps extends Neighbours {
  /** Undefined until something is known of the trace. */
  readonly row: TraceRow | undefined;
  readonly serviceVersion: string | undefined;
  /** What else can be done with this trace. */
  readonly actions: ReactNode;
  readonly onClose: () => void;
}

/** Which request it is, and the ways on: to its neighbours in the list, and out. */
export function TraceHeader({ row, serviceVersion, previous, next, actions, onClose }: TraceHeaderProps) {
  return (
    <header className={classes.header}>
      <div className={classes.what}>
        {row !== undefined && <What row={row} serviceVersion={serviceVersion} />}
      </div>
      <div className={classes.ways}>
        {actions}
        <Neighbour label="Previous trace ([)" id={previous} icon={<IconChevronUp size={16} aria-hidden />} />
        <Neighbour label="Next trace (])" id={next} icon={<IconChevronDown size={16} aria-hidden />} />
        <CloseButton aria-label="Close" onClick={onClose} />
      </div>
    </header>
  );
}

function What({
  row,
  serviceVersion,
}: {
  readonly row: TraceRow;
  readonly serviceVersion: string | undefined;
}) {
  const service = [`${row.service} ${serviceVersion ?? ''}`.trim(), row.environment].filter(
    (part) => part !== '',
  );
  return (
    <>
      <MethodBadge method={quoteless(row.request.method)} />
      <h2 className={classes.path} title={row.request.path}>
        {quoteless(row.request.path)}
      </h2>
      <StatusBadge statusCode={row.response.statusCode} />
      <DurationText ms={row.timing.duration} />
      <span className={classes.dim}>
        <Timestamp at={row.timing.startTime} show="clock" />
      </span>
      {service.length > 0 && <span className={classes.dim}>{quoteless(service.join(' · '))}</span>}
    </>
  );
}

function Neighbour({ label, id, icon }: { label: string; id: string | undefined; icon: ReactNode }) {
  const change = useChangeView();
  return (
    <Tooltip label={label}>
      <ActionIcon
        variant="subtle"
        color="gray"
        aria-label={label}
        disabled={id === undefined}
        onClick={() => change({ trace: id, step: undefined }, { replace: true })}
      >
        {icon}
      </ActionIcon>
    </Tooltip>
  );
}
