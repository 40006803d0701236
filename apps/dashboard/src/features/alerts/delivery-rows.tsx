import { Button, Group } from '@mantine/core';
import { type AlertDelivery, MAX_DELIVERY_ATTEMPTS, type Tone } from '@throughline/contract';
import { useState } from 'react';
import { StateTag } from '../../ui/layout/badges.tsx';
import rows from '../../ui/tables/row-list.module.css';
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

/** Messages of alerts, newest first, each with the state of its delivery. Shows all of them only on request. */
export function DeliveryRows({ deliveries }: { readonly deliveries: readonly AlertDelivery[] }) {
  const [all, setAll] = useState(false);
  return (
    <>
      <RowList deliveries={all ? deliveries : deliveries.slice(0, SHOWN_AT_FIRST)} />
      {!all && deliveries.length > SHOWN_AT_FIRST && (
        <Group>
          <Button size="compact-sm" variant="default" onClick={() => setAll(true)}>
            Show all {deliveries.length} deliveries
          </Button>
        </Group>
      )}
    </>
  );
}

function RowList({ deliveries }: { readonly deliveries: readonly AlertDelivery[] }) {
  return (
    <ul className={rows.list} aria-label="Deliveries">
      {deliveries.map((delivery) => {
        const { label, tone } = LOOKS[delivery.state];
        return (
          <li key={delivery.id} className={`${rows.row} ${classes.row}`}>
            <div className={`${rows.about} ${classes.about}`}>
              <div className={classes.title}>
                {delivery.title}
                <StateTag tone={tone} label={label} />
              </div>
              <div className={rows.dim}>
                {CHANNELS[delivery.channel]} {delivery.target} · <Timestamp at={delivery.createdAt} />
                {describeTries(delivery)}
              </div>
              {delivery.problem !== null && <div>{delivery.problem}.</div>}
            </div>
          </li>
        );
      })}
    </ul>
  );
}

/** Describes the number of attempts and the time of the next attempt. Returns an empty string if no attempt failed. */
function describeTries({ state, attempts, nextTryAt, problem }: AlertDelivery): string {
  if (state === 'failed') return ` · given up after ${attempts === 1 ? '1 try' : `${attempts} tries`}`;
  if (state === 'sent') return attempts > 1 ? ` · at try ${attempts}` : '';
  if (nextTryAt === null || problem === null) return '';
  const next = formatTimeOfDay(Date.parse(nextTryAt));
  return ` · try ${attempts} of ${MAX_DELIVERY_ATTEMPTS} failed, next at ${next}`;
}
