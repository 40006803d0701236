import { IconServer2 } from '@tabler/icons-react';
import { formatCount, formatDuration } from '@throughline/contract';
import { escapeControlCharacters } from '@throughline/contract/captured';
import { isShown, shareAt, type TimeScale } from '../scale/time-scale.ts';
import classes from './lanes.module.css';
import type { Lane, LaneRequest } from './lanes-data.ts';

/** Maximum number of services with a lane. */
const MAX_LANES = 12;
/** Maximum number of bars in a lane. */
const MAX_BARS = 200;

interface LanesProps {
  readonly lanes: readonly Lane[];
  readonly scale: TimeScale;
  readonly onOpen: (requestId: string) => void;
}

/** Shows when each service of a distributed trace ran: a lane per service, and a bar per request, which opens the request. */
export function Lanes({ lanes, scale, onOpen }: LanesProps) {
  const rest = lanes.length - MAX_LANES;
  return (
    <ul className={classes.lanes} aria-label="Services">
      {lanes.slice(0, MAX_LANES).map(({ service, requests }) => (
        <li key={service} className={classes.lane}>
          <span className={classes.service}>
            <IconServer2 size={14} aria-hidden />
            <span>{escapeControlCharacters(service)}</span>
            {requests.length > 1 && <span className={classes.more}>×{formatCount(requests.length)}</span>}
          </span>
          <span className={classes.laneTrack}>
            {requests.slice(0, MAX_BARS).map((request) => (
              <RequestBar key={request.id} request={request} scale={scale} onOpen={onOpen} />
            ))}
          </span>
        </li>
      ))}
      {rest > 0 && <li className={classes.more}>… and {formatCount(rest)} more services</li>}
    </ul>
  );
}

function RequestBar({
  request,
  scale,
  onOpen,
}: Pick<LanesProps, 'scale' | 'onOpen'> & { request: LaneRequest }) {
  if (!isShown(scale, request)) return null;
  const { id, name, service, fromMs, toMs, failed, own } = request;
  const [from, to] = [shareAt(scale, fromMs), shareAt(scale, toMs)];
  const words = `${escapeControlCharacters(service)}: ${escapeControlCharacters(name)}, ${formatDuration(toMs - fromMs)}${failed ? ', failed' : ''}`;
  return (
    <button
      type="button"
      className={classes.request}
      data-own={own}
      data-failed={failed}
      aria-label={own ? `${words}, shown below` : `Open ${words}`}
      title={words}
      disabled={own}
      style={{ left: `min(${from * 100}%, calc(100% - 24px))`, width: `${(to - from) * 100}%` }}
      onClick={() => onOpen(id)}
    >
      {escapeControlCharacters(name)}
    </button>
  );
}
