import {
  type Icon,
  IconBolt,
  IconDatabase,
  IconDeviceDesktop,
  IconServer2,
  IconStack2,
  IconWorld,
} from '@tabler/icons-react';
import { chooseDurationTone, formatCount, formatDuration, SLOW_MS } from '@throughline/contract';
import { escapeControlCharacters } from '@throughline/contract/captured';
import { useMemo } from 'react';
import { formatToneColour } from '../../shell/theme/tones.ts';
import { RowList } from '../rows/row-list.tsx';
import { OutcomeIcon } from '../steps/outcome-icon.tsx';
import { SHORT_THROWN_WORDS, THROWN_WORDS } from '../steps/step-outcome.ts';
import type { ActorKind } from './call-target.ts';
import classes from './sequence.module.css';
import type { Message, Sequence } from './sequence-data.ts';

const ROW_PX = 44;
const TIME_PX = 68;
/** The minimum width of an actor's column. */
const COLUMN_PX = 112;

const ICONS: Readonly<Record<ActorKind, Icon>> = {
  client: IconDeviceDesktop,
  service: IconServer2,
  database: IconDatabase,
  cache: IconBolt,
  queue: IconStack2,
  host: IconWorld,
};

interface SequenceDiagramProps {
  readonly sequence: Sequence;
  /** The id of the request whose steps can be selected; other requests are separate traces. */
  readonly requestId: string;
  /** The selected step's key. */
  readonly selected: string | undefined;
  readonly onSelect: (key: string) => void;
  /** Called when another request of the distributed trace is chosen. */
  readonly onOpen: (requestId: string) => void;
}

/** A sequence diagram of calls between services: one arrow per message, in start order. */
export function SequenceDiagram({ sequence, requestId, selected, onSelect, onOpen }: SequenceDiagramProps) {
  const { actors, messages } = sequence;
  const keyOfStep = useMemo(
    () =>
      new Map(
        messages.flatMap((message) =>
          message.kind === 'call' && message.requestId === requestId
            ? message.nodes.map((node) => [node.key, message.key] as const)
            : [],
        ),
      ),
    [messages, requestId],
  );
  const choose = (message: Message) => {
    if (message.requestId !== requestId) onOpen(message.requestId);
    else if (message.kind === 'call') onSelect(findSlowest(message.nodes)?.key ?? '');
  };
  const widthPx = TIME_PX + actors.length * COLUMN_PX;
  return (
    <RowList
      label="Sequence of calls"
      rows={messages}
      rowPx={ROW_PX}
      getKey={(message) => message.key}
      describe={(message) => describeMessage(message, sequence)}
      // A bundle's key is the key of its first step with a one-character prefix.
      chosen={
        selected === undefined ? undefined : (keyOfStep.get(selected) ?? keyOfStep.get(selected.slice(1)))
      }
      onChoose={choose}
      widthPx={widthPx}
      head={
        <div className={classes.head} style={{ minWidth: widthPx, '--actors': actors.length }}>
          <span className={classes.time} />
          {actors.map(({ kind, name }) => {
            const ActorIcon = ICONS[kind];
            return (
              <span key={`${kind} ${name}`} className={classes.actor} title={`${kind}: ${name}`}>
                <ActorIcon size={14} aria-hidden />
                <span>{escapeControlCharacters(name)}</span>
              </span>
            );
          })}
        </div>
      }
    >
      {(message) => <Arrow message={message} sequence={sequence} own={message.requestId === requestId} />}
    </RowList>
  );
}

function Arrow({ message, sequence, own }: { message: Message; sequence: Sequence; own: boolean }) {
  const { actors } = sequence;
  const { from, to, durationMs, outcome } = message;
  const [left, right] = [Math.min(from, to), Math.max(from, to)];
  const backwards = to < from;
  const slow = durationMs > SLOW_MS;
  return (
    <div className={classes.row} data-own={own} style={{ '--actors': actors.length }}>
      <span className={classes.time}>
        {message.atMs < 0 ? '−' : '+'}
        {formatDuration(Math.abs(message.atMs))}
      </span>
      <span className={classes.lanes} aria-hidden>
        {actors.map(({ kind, name }, index) => (
          <span
            key={`${kind} ${name}`}
            className={classes.life}
            style={{ left: formatPosition(index + 0.5, actors.length) }}
          />
        ))}
        <span
          className={classes.message}
          data-kind={message.kind}
          data-outcome={outcome}
          data-backwards={backwards}
          data-self={from === to}
          style={{
            left: formatPosition(left + 0.5, actors.length),
            width: from === to ? `${50 / actors.length}%` : formatPosition(right - left, actors.length),
          }}
        >
          <span className={classes.label}>
            {outcome !== 'ended' && (
              <span className={classes.mark}>
                <OutcomeIcon outcome={outcome} size={12} />
              </span>
            )}
            <span className={classes.words} title={escapeControlCharacters(message.label)}>
              {escapeControlCharacters(message.label)}
            </span>
            {message.kind === 'call' && message.calls > 1 && <span>×{formatCount(message.calls)}</span>}
          </span>
          <span className={classes.line} />
          {message.kind !== 'request' && (
            <span
              className={classes.duration}
              style={slow ? { color: formatToneColour(chooseDurationTone(durationMs)) } : {}}
            >
              {formatDuration(durationMs)}
              {outcome === 'handled' && `, ${SHORT_THROWN_WORDS.handled}`}
            </span>
          )}
        </span>
      </span>
    </div>
  );
}

function formatPosition(place: number, of: number): string {
  return `${(place / of) * 100}%`;
}

export function describeMessage(message: Message, { actors }: Sequence): string {
  const [from, to] = [actors[message.from], actors[message.to]].map((actor) =>
    escapeControlCharacters(actor?.name ?? ''),
  );
  const label = escapeControlCharacters(message.label);
  if (message.kind === 'request') return `${from} calls ${to}: ${label}`;
  const thrown = message.outcome === 'ended' ? '' : `, ${THROWN_WORDS[message.outcome]}`;
  if (message.kind === 'answer') {
    return `${from} responds to ${to}: ${label}, after ${formatDuration(message.durationMs)}${thrown}`;
  }
  const times = message.calls > 1 ? `, ${formatCount(message.calls)} times` : '';
  const caller = message.caller === undefined ? '' : `, from ${escapeControlCharacters(message.caller)}`;
  return `${from} calls ${to}: ${label}${times}, ${formatDuration(message.durationMs)}${caller}${thrown}`;
}

function findSlowest<Node extends { readonly step: { readonly duration: number } }>(
  nodes: readonly Node[],
): Node | undefined {
  let found = nodes[0];
  for (const node of nodes) if (node.step.duration > (found?.step.duration ?? 0)) found = node;
  return found;
}
