import type { AlertPayload } from '@throughline/contract';
import { type ControlDb, findPeople } from '../../platform/control-store/index.ts';
import { type AlertDeliveryId, type AlertIncidentId, createId } from '../../platform/ids.ts';
import type { Sealer } from '../../platform/start/secrets.ts';
import type { NewDelivery } from './deliveries/deliveries-store.ts';
import { insertDeliveries } from './deliveries/deliveries-store.ts';
import { findUnannounced, type IncidentRow, markAnnounced } from './incidents-store.ts';
import { composePayload, type ErrorOfIncident, type InsightOfIncident } from './message.ts';
import { isQuiet } from './quiet-hours.ts';
import { toMeasure } from './rule-columns.ts';
import type { RuleRow } from './rules-store.ts';

/** Shown instead of an address that cannot be decrypted, for example after a restore with another secret. */
const UNREADABLE = 'unreadable address';

export interface MessageDeps {
  readonly sealer: Sealer;
  readonly publicUrl: () => string;
}

/**
 * Queues one message for each recipient of a rule: persons with a confirmed address, the webhook and Slack. The key of a message prevents
 * duplicates, even if several servers queue messages about the same incident.
 */
export async function queueMessages(
  { sealer, publicUrl }: MessageDeps,
  tx: ControlDb,
  given: {
    readonly rule: RuleRow;
    readonly projectName: string;
    readonly event: AlertPayload['event'];
    readonly incident: AlertPayload['incident'];
    readonly now: Date;
  },
): Promise<AlertDeliveryId[]> {
  const { rule, event, incident, now } = given;
  const people = (await findPeople(tx, rule.projectId)).filter(
    (person) => rule.people.includes(person.id) && person.verifiedAt !== null,
  );
  const recipients: Pick<NewDelivery, 'channel' | 'target'>[] = [
    ...people.map(({ email }) => ({ channel: 'email' as const, target: email })),
    ...listAddresses(sealer, rule),
  ];
  const deliveries = recipients.map(({ channel, target }): NewDelivery => {
    const deliveryId = createId<AlertDeliveryId>();
    const payload = composePayload({
      id: deliveryId,
      event,
      createdAt: now,
      project: { id: rule.projectId, name: given.projectName },
      rule: toMeasure(rule),
      incident,
      publicUrl: publicUrl(),
    });
    return {
      id: deliveryId,
      projectId: rule.projectId,
      ruleId: rule.id,
      incidentId: incident === null ? null : (incident.id as AlertIncidentId),
      event,
      channel,
      target,
      key: `${incident?.id ?? deliveryId} ${event} ${channel} ${channel === 'email' ? target : ''}`,
      sealedPayload: sealer.seal(JSON.stringify(payload), deliveryId),
      state: 'waiting',
      createdAt: now,
      dueAt: now,
    };
  });
  await insertDeliveries(tx, deliveries);
  return deliveries.map((delivery) => delivery.id as AlertDeliveryId);
}

function listAddresses(sealer: Sealer, rule: RuleRow): Pick<NewDelivery, 'channel' | 'target'>[] {
  return (['webhook', 'slack'] as const).flatMap((channel) => {
    const target = showAddress(sealer, rule, channel);
    return target === null ? [] : [{ channel, target }];
  });
}

/**
 * Returns only the origin of a rule's webhook or Slack URL, because the rest of the URL can be a secret. Null if the rule has no such URL.
 */
export function showAddress(sealer: Sealer, rule: RuleRow, channel: 'webhook' | 'slack'): string | null {
  const sealed = channel === 'webhook' ? rule.sealedWebhook : rule.sealedSlack;
  if (sealed === null) return null;
  const url = URL.parse(sealer.tryOpen(sealed, `${rule.id} ${channel}`) ?? '');
  return url === null ? UNREADABLE : `${url.origin}/…`;
}

/**
 * Queues a message for each beginning or end of a rule's incident that has not been reported yet. Queues nothing during quiet hours: a
 * later check then queues the messages.
 */
export async function queueIncidentMessages(
  deps: MessageDeps,
  tx: ControlDb,
  given: { readonly rule: RuleRow; readonly projectName: string; readonly now: Date },
): Promise<void> {
  const { rule, now } = given;
  if (isQuiet(rule.quietHours, now)) return;
  for (const row of await findUnannounced(tx, rule.id)) {
    const event = row.closedAt === null ? 'firing' : 'recovered';
    await queueMessages(deps, tx, { ...given, event, incident: describeIncident(deps.sealer, rule, row) });
    await markAnnounced(tx, row.id, event === 'firing' ? { announcedAt: now } : { announcedEndAt: now });
  }
}

export function describeIncident(
  sealer: Sealer,
  { kind }: Pick<RuleRow, 'kind'>,
  row: IncidentRow,
): NonNullable<AlertPayload['incident']> {
  const text = row.sealedError === null ? undefined : sealer.tryOpen(row.sealedError, row.key);
  return {
    id: row.id,
    openedAt: row.openedAt.toISOString(),
    closedAt: row.closedAt?.toISOString() ?? null,
    value: row.value,
    error: text === undefined || kind === 'insight' ? null : (JSON.parse(text) as ErrorOfIncident),
    insight: text === undefined || kind !== 'insight' ? null : (JSON.parse(text) as InsightOfIncident),
  };
}
