import {
  type AlertPayload,
  type AlertRule,
  type AlertSeverity,
  describeAlert,
  describeScope,
  findIncidentEnd,
  findIncidentStart,
  findWatchedStart,
  formatAverage,
  formatCount,
  listIncidentFilters,
  toListParams,
} from '@throughline/contract';
import {
  formatCapturedInMail,
  formatNameInMail,
  formatTimeInMail,
  type Mail,
} from '../../platform/mail/index.ts';

const PRODUCT_NOTE = 'Your project’s alerts sent this message. Change the alerts in the project’s settings.';
/** Maximum number of characters of an error's message that are sent. */
const MAX_MESSAGE_LENGTH = 500;

export interface ErrorOfIncident {
  readonly id: string;
  readonly service: string;
  readonly message: string;
}

export interface InsightOfIncident {
  readonly id: string;
  readonly service: string;
  readonly severity: AlertSeverity;
  readonly title: string;
}

/**
 * Composes the payload of a message. The payload is the JSON body of a webhook; mails and Slack messages are built from the payload, too.
 */
export function composePayload(given: {
  readonly id: string;
  readonly event: AlertPayload['event'];
  readonly createdAt: Date;
  readonly project: { readonly id: string; readonly name: string };
  readonly rule: AlertPayload['rule'];
  readonly incident: AlertPayload['incident'];
  readonly publicUrl: string;
}): AlertPayload {
  const { event, project, rule, publicUrl } = given;
  const { error = null, insight = null } = given.incident ?? {};
  const incident = given.incident && {
    ...given.incident,
    error: error && { ...error, message: shorten(error.message) },
    insight: insight && { ...insight, title: shorten(insight.title) },
  };
  return {
    id: given.id,
    event,
    createdAt: given.createdAt.toISOString(),
    title: composeTitle(event, rule),
    project,
    rule,
    incident,
    url: buildUrl({ project, rule, incident, createdAt: given.createdAt, publicUrl }),
  };
}

/** Builds the link of a message: to the page with the requests that the message is about. */
function buildUrl(given: {
  readonly project: AlertPayload['project'];
  readonly rule: AlertPayload['rule'];
  readonly incident: AlertPayload['incident'];
  readonly createdAt: Date;
  readonly publicUrl: string;
}): string {
  const { project, rule, incident, createdAt, publicUrl } = given;
  const open = (page: 'analytics' | 'dashboard' | 'errors', more: Readonly<Record<string, string>>) =>
    `${publicUrl}/${page}?${new URLSearchParams({ project: project.id, ...more })}`;
  if (incident === null) return open('analytics', {});
  const { openedAt, closedAt, error, insight } = incident;
  if (error !== null) {
    // While the incident is ongoing, the link has no `to`. The page then also shows the requests that fail with this error after the
    // message was sent.
    return open('errors', { error: error.id, from: openedAt, ...(closedAt !== null && { to: closedAt }) });
  }
  const to = closedAt ?? createdAt.toISOString();
  const timed = { rule, openedAt, closedAt };
  const from = insight === null ? findIncidentStart(timed) : findWatchedStart(new Date(to));
  if (insight === null && rule.filter !== null) {
    // Analytics cannot apply the rule's filter, so the link leads to the list of requests.
    return open('dashboard', {
      from: from.toISOString(),
      to: findIncidentEnd(timed)?.toISOString() ?? to,
      ...toListParams(listIncidentFilters(rule, undefined)),
    });
  }
  return open('analytics', {
    from: from.toISOString(),
    to,
    ...(rule.service !== null && { service: rule.service }),
    ...(rule.environment !== null && { environment: rule.environment }),
    ...(insight !== null && { tab: 'insights' }),
  });
}

function shorten(text: string): string {
  return text.slice(0, MAX_MESSAGE_LENGTH).toWellFormed();
}

const EVENT_WORDS: Readonly<Record<AlertPayload['event'], string>> = {
  firing: 'Alert',
  recovered: 'Recovered',
  test: 'Test',
};

/** Describes the event in one line, without captured data. */
export function composeTitle(event: AlertPayload['event'], rule: AlertPayload['rule']): string {
  return `${EVENT_WORDS[event]}: ${describeAlert(rule)}`;
}

export function composeAlertMail(to: string, payload: AlertPayload): Mail {
  return {
    to,
    subject: payload.title,
    paragraphs: composeLines(withoutLinks(payload)),
    action: { label: 'See more', url: payload.url },
    note: PRODUCT_NOTE,
  };
}

/** Formats names and captured text, so that none of them becomes a link in a mail. */
function withoutLinks(payload: AlertPayload): AlertPayload {
  const { project, incident } = payload;
  const { error = null, insight = null } = incident ?? {};
  return {
    ...payload,
    project: { ...project, name: formatNameInMail(project.name) },
    incident: incident && {
      ...incident,
      error: error && { ...error, message: formatCapturedInMail(error.message) },
      insight: insight && { ...insight, title: formatCapturedInMail(insight.title) },
    },
  };
}

/** Composes the body for an incoming webhook of Slack, which Mattermost and other services also accept. */
export function composeSlackBody(payload: AlertPayload): string {
  const [first = '', ...others] = composeLines(payload).map(escapeSlack);
  const lines = [`*${escapeSlack(payload.title)}*`, first, ...others, `<${payload.url}|See more>`];
  return JSON.stringify({ text: lines.join('\n') });
}

/** Escapes the characters of Slack's markup. Otherwise captured text such as `<!channel>` would notify a whole channel. */
function escapeSlack(text: string): string {
  return text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');
}

function composeLines({ event, project, rule, incident }: AlertPayload): string[] {
  const scope = describeScope(rule);
  const lines = [`${describeAlert(rule)}, project ${project.name}${scope === '' ? '' : `, ${scope}`}.`];
  if (event === 'test') lines.push('This is a test. Nothing is wrong.');
  if (incident === null) return lines;
  const { error, insight, value, openedAt, closedAt } = incident;
  if (error !== null)
    lines.push(`${error.service === '' ? 'Unnamed service' : error.service}: ${error.message}`);
  if (insight !== null)
    lines.push(`${insight.service === '' ? 'Unnamed service' : insight.service}: ${insight.title}`);
  if (value !== null) lines.push(`Measured: ${formatValue(rule.kind, value)}`);
  lines.push(
    closedAt === null
      ? `Since ${formatTimeInMail(openedAt)}.`
      : `From ${formatTimeInMail(openedAt)} to ${formatTimeInMail(closedAt)}.`,
  );
  return lines;
}

function formatValue(kind: AlertRule['kind'], value: number): string {
  if (kind === 'error_rate') return `${Math.round(value * 100) / 100} % of requests failed`;
  if (kind === 'no_traffic') return `no request for ${formatCount(Math.round(value))} min`;
  return formatAverage(value);
}
