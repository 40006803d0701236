import { type AlertDelivery, formatCounted, MAX_DELIVERY_ATTEMPTS, type Tone } from '@throughline/contract';
import { StateTag } from '../../ui/layout/badges.tsx';
import { SearchedTable } from '../../ui/tables/searched-table.tsx';
import type { TableColumn } from '../../ui/tables/table-column.ts';
import { formatTimeOfDay } from '../../ui/time/relative-time.ts';
import { Timestamp } from '../../ui/time/timestamp.tsx';
import classes from './alerts.module.css';

/** Number of deliveries shown before the user asks for all. */
const SHOWN_AT_FIRST = 10;
const LOOKS: Readonly<Record<AlertDelivery['state'], { readonly label: string; readonly tone: Tone }>> = {
  waiting: { label: 'Waiting', tone: 'amber' },
  sent: { label: 'Sent', tone: 'green' },
  failed: { label: 'Failed', tone: 'red' },
};
const CHANNELS: Readonly<Record<AlertDelivery['channel'], string>> = {
  email: 'Email',
  webhook: 'Webhook',
  slack: 'Slack',
};

/** Width of the list in pixels below which each message is a card, not a table row. */
const CARDS_PX = 680;

const COLUMNS: readonly TableColumn<AlertDelivery>[] = [
  {
    name: 'Message',
    kind: 'text',
    card: 'title',
    value: ({ title }) => title,
    searched: ({ title, problem }) => `${title}\n${problem ?? ''}`,
    cell: ({ title, problem }) => (
      <>
        {title}
        {problem !== null && <div className={classes.problem}>{problem}.</div>}
      </>
    ),
  },
  {
    name: 'State',
    kind: 'text',
    wraps: true,
    value: ({ state }) => LOOKS[state].label,
    cell: (delivery) => (
      <div>
        <StateTag {...LOOKS[delivery.state]} />
        <div className={classes.dim}>{describeTries(delivery)}</div>
      </div>
    ),
  },
  {
    name: 'Channel',
    kind: 'text',
    value: ({ channel }) => CHANNELS[channel],
    cell: ({ channel }) => CHANNELS[channel],
  },
  {
    name: 'Recipient',
    kind: 'text',
    wraps: true,
    className: classes.recipient,
    value: ({ target }) => target,
    cell: ({ target }) => target,
  },
  {
    name: 'Time',
    kind: 'time',
    value: ({ createdAt }) => Date.parse(createdAt),
    cell: ({ createdAt }) => <Timestamp at={createdAt} />,
  },
];

/** Messages of alerts, newest first, each with the state of its delivery. Shows more than `SHOWN_AT_FIRST` messages only on request. */
export function DeliveryRows({ deliveries }: { readonly deliveries: readonly AlertDelivery[] }) {
  return (
    <SearchedTable
      id="deliveries"
      label="Deliveries"
      what="deliveries"
      first={SHOWN_AT_FIRST}
      columns={COLUMNS}
      rows={deliveries}
      getKey={({ id }) => id}
      usualSort={{ column: 'time', order: 'descending' }}
      cardsBelow={CARDS_PX}
    />
  );
}

/**
 * Describes how often the server tried to deliver a message, and the time of the next attempt. Returns an empty string if no attempt
 * failed.
 */
function describeTries({ state, attempts, nextTryAt, problem }: AlertDelivery): string {
  if (state === 'failed') return `Given up after ${formatCounted(attempts, 'attempt')}`;
  if (state === 'sent') return attempts > 1 ? `Attempt ${attempts}` : '';
  if (nextTryAt === null || problem === null) return '';
  const next = formatTimeOfDay(Date.parse(nextTryAt));
  return `Attempt ${attempts} of ${MAX_DELIVERY_ATTEMPTS} failed, next at ${next}`;
}
