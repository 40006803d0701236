import {
  type AlertKind,
  type AlertRule,
  type AlertSeverity,
  type FilteredRule,
  hasFilter,
  hasMinutes,
  hasThreshold,
} from '@throughline/contract';
import type { RuleBody } from './queries.ts';

/** The values of the rule form's fields. */
export interface RuleDraft {
  readonly kind: AlertKind;
  readonly threshold: number | string;
  readonly minutes: number | string;
  readonly severity: AlertSeverity;
  readonly service: string;
  readonly environment: string;
  readonly endpoint: string;
  /** A valid query in the filter language. */
  readonly filter: string;
  readonly people: readonly string[];
  /** Undefined leaves the stored URL unchanged; null removes the stored URL. */
  readonly webhookUrl: string | null | undefined;
  readonly slackUrl: string | null | undefined;
  readonly renewSecret: boolean;
  readonly quiet: boolean;
  readonly quietFrom: string;
  readonly quietUntil: string;
  readonly timeZone: string;
  readonly paused: boolean;
}

const THRESHOLDS: Readonly<Partial<Record<AlertKind, number>>> = { error_rate: 5, p95: 1000 };
const MINUTES = 5;

/**
 * Returns the form's initial values, taken from the rule, or the defaults if `rule` is undefined. Drops recipients who have left the
 * organization, because the server accepts only members.
 */
export function toDraft(rule: AlertRule | undefined, members: readonly { readonly id: string }[]): RuleDraft {
  const quietHours = rule?.quietHours ?? null;
  return {
    kind: rule?.kind ?? 'new_error',
    threshold: rule?.threshold ?? '',
    minutes: rule?.minutes ?? MINUTES,
    severity: rule?.severity ?? 'medium',
    service: rule?.service ?? '',
    environment: rule?.environment ?? '',
    endpoint: rule?.endpoint ?? '',
    filter: rule?.filter ?? '',
    people: (rule?.people ?? []).filter((id) => members.some((member) => member.id === id)),
    webhookUrl: undefined,
    slackUrl: undefined,
    renewSecret: false,
    quiet: quietHours !== null,
    quietFrom: quietHours?.from ?? '22:00',
    quietUntil: quietHours?.until ?? '07:00',
    timeZone: quietHours?.timeZone ?? new Intl.DateTimeFormat().resolvedOptions().timeZone,
    paused: rule?.paused ?? false,
  };
}

/** Changes a draft's alert kind, and sets the usual threshold for that kind. */
export function changeKind(draft: RuleDraft, kind: AlertKind): RuleDraft {
  return { ...draft, kind, threshold: THRESHOLDS[kind] ?? '' };
}

/** Returns the fields of the draft that limit which terms the filter can have. */
export function toFilteredRule({ kind, service, environment, endpoint }: RuleDraft): FilteredRule {
  return {
    kind,
    service: emptyToNull(service),
    environment: emptyToNull(environment),
    endpoint: emptyToNull(endpoint),
  };
}

export function toBody(draft: RuleDraft): RuleBody {
  const { kind } = draft;
  return {
    kind,
    service: emptyToNull(draft.service),
    environment: emptyToNull(draft.environment),
    endpoint: emptyToNull(draft.endpoint),
    filter: hasFilter(kind) ? emptyToNull(draft.filter) : null,
    threshold: hasThreshold(kind) ? toNumber(draft.threshold) : null,
    minutes: hasMinutes(kind) ? toNumber(draft.minutes) : null,
    severity: kind === 'insight' ? draft.severity : null,
    people: [...draft.people],
    ...toAddress('webhookUrl', draft.webhookUrl),
    ...toAddress('slackUrl', draft.slackUrl),
    renewSecret: draft.renewSecret,
    quietHours: draft.quiet
      ? { from: draft.quietFrom, until: draft.quietUntil, timeZone: draft.timeZone }
      : null,
    paused: draft.paused,
  };
}

/**
 * Converts a URL from the form to a field of the request body. If `url` is undefined, returns no field, so that the server keeps the stored
 * URL. Null or an empty string makes the server delete the stored URL.
 */
function toAddress(name: 'webhookUrl' | 'slackUrl', url: string | null | undefined) {
  return url === undefined ? {} : { [name]: url === null || url.trim() === '' ? null : url };
}

function emptyToNull(text: string): string | null {
  return text.trim() === '' ? null : text;
}

function toNumber(given: number | string): number | null {
  return given === '' ? null : Number(given);
}
