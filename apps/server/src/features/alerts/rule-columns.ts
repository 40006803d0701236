import {
  type AlertMeasure,
  type AlertRuleBody,
  formatAlertFilter,
  hasMinutes,
  hasThreshold,
} from '@throughline/contract';
import { refuseField } from '../../platform/http/errors.ts';
import type { AlertRuleId, UserId } from '../../platform/ids.ts';
import { createToken, type Sealer } from '../../platform/start/secrets.ts';
import type { RuleRow } from './rules-store.ts';

/**
 * Converts a rule from a request to the columns of the rules table. Also returns the webhook's secret if a new one was created.
 * @throws AppError `validation_failed` if the rule has no recipient
 */
export function toColumns(
  sealer: Sealer,
  id: AlertRuleId,
  body: AlertRuleBody,
  people: UserId[],
  before?: RuleRow,
) {
  const keep = (channel: 'webhook' | 'slack', url: string | null | undefined, sealed: string | null) => {
    if (url === undefined) return sealed;
    return url === null ? null : sealer.seal(url, `${id} ${channel}`);
  };
  const sealedWebhook = keep('webhook', body.webhookUrl, before?.sealedWebhook ?? null);
  const needsSecret = sealedWebhook !== null && (body.renewSecret || (before?.sealedSecret ?? null) === null);
  const secret = needsSecret ? `whsec_${createToken()}` : null;
  const sealedBefore = sealedWebhook === null ? null : (before?.sealedSecret ?? null);
  const columns = {
    kind: body.kind,
    service: body.service === '' ? null : body.service,
    environment: body.environment === '' ? null : body.environment,
    endpoint: body.endpoint === '' ? null : body.endpoint,
    filter: formatAlertFilter(body.filter),
    threshold: hasThreshold(body.kind) ? body.threshold : null,
    minutes: hasMinutes(body.kind) ? body.minutes : null,
    severity: body.kind === 'insight' ? body.severity : null,
    people,
    sealedWebhook,
    sealedSecret: secret === null ? sealedBefore : sealer.seal(secret, `${id} secret`),
    sealedSlack: keep('slack', body.slackUrl, before?.sealedSlack ?? null),
    quietHours: body.quietHours,
    paused: body.paused,
  };
  if (people.length === 0 && columns.sealedWebhook === null && columns.sealedSlack === null) {
    throw refuseField('people', 'An alert needs a recipient: a person, a webhook or Slack');
  }
  return { columns, secret };
}

/** Returns the fields of a rule that define what the rule measures, without the recipients of the rule's messages. */
export function toMeasure(rule: RuleRow): AlertMeasure {
  const { id, kind, service, environment, endpoint, filter, threshold, minutes, severity } = rule;
  return { id, kind, service, environment, endpoint, filter, threshold, minutes, severity };
}
