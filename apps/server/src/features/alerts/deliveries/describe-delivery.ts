import type { AlertDelivery, AlertMeasure } from '@throughline/contract';
import { composeTitle } from '../message.ts';
import type { DeliveryRow } from './deliveries-store.ts';

export function describeDelivery(row: DeliveryRow, rule: AlertMeasure): AlertDelivery {
  return {
    id: row.id,
    ruleId: row.ruleId,
    event: row.event,
    channel: row.channel,
    target: row.target,
    title: composeTitle(row.event, rule),
    state: row.state,
    attempts: row.attempts,
    createdAt: row.createdAt.toISOString(),
    nextTryAt: row.state === 'waiting' ? row.dueAt.toISOString() : null,
    finishedAt: row.finishedAt?.toISOString() ?? null,
    problem: row.problem,
  };
}
