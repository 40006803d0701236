import {
  ALERT_SEVERITIES,
  type ErrorGroup,
  type Finding,
  INSIGHT_CHECK_MINUTES,
  isOfError,
  RECOVERY_SHARE,
} from '@throughline/contract';
import { type Clock, toMicros } from '../../platform/clock.ts';
import type { ControlDb, ControlStore } from '../../platform/control-store/index.ts';
import type { ShownProject } from '../../platform/http/guard.ts';
import { type ProjectId, readIdTime } from '../../platform/ids.ts';
import type { Logger } from '../../platform/log.ts';
import type { WatchedFinding } from '../insights/index.ts';
import { advance } from './hysteresis.ts';
import { closeIncidents, findKeys, findOpen, openIncidents, storePeak } from './incidents-store.ts';
import { measureRule } from './measure-rule.ts';
import { type MessageDeps, queueIncidentMessages } from './queue-messages.ts';
import { toMeasure } from './rule-columns.ts';
import { findProjectName, finishCheck, type NewRule, type RuleRow, takeDueRules } from './rules-store.ts';
import type { Sources } from './sources.ts';

const MINUTE_MS = 60_000;
/**
 * Minimum time between two checks of a rule. Servers look for due rules every 15 seconds, so a little less than a minute gives one check
 * per minute.
 */
const EVERY_MS = 55_000;
const AT_ONCE = 10;
/** The maximum number of new incidents of a rule per check, because a release that breaks everything must not send hundreds of messages. */
const MAX_NEW = 10;
/**
 * A check also reads requests that began up to this long before the previous check, because such requests can have arrived after that
 * check. A failed request that arrives even later is not noticed until another request fails.
 */
const LATE_MS = 10 * MINUTE_MS;

export interface RuleCheckDeps extends MessageDeps {
  readonly control: ControlStore;
  readonly clock: Clock;
  readonly log: Logger;
  readonly projects: { shown(id: ProjectId): Promise<ShownProject | undefined> };
  readonly sources: Sources;
}

/**
 * Returns a function that checks all due rules. Each rule is checked once a minute (a rule about insights every `INSIGHT_CHECK_MINUTES`),
 * by one of the servers.
 */
export function createRuleCheck(deps: RuleCheckDeps): (isClosed: () => boolean) => Promise<void> {
  const { clock, log, sources } = deps;
  const { db } = deps.control;

  /**
   * Stores the result of a check and queues its messages in one transaction. Does nothing if the rule was changed or checked again
   * meanwhile.
   */
  const finish = (rule: RuleRow, found: Partial<NewRule>, change: (tx: ControlDb) => Promise<void>) =>
    db.transaction(async (tx) => {
      const now = clock.now();
      if (!(await finishCheck(tx, rule, { ...found, checkedAt: now }))) return;
      await change(tx);
      const projectName = await findProjectName(tx, rule.projectId);
      if (projectName !== undefined) await queueIncidentMessages(deps, tx, { rule, projectName, now });
    });

  const checkMetric = async (rule: RuleRow, project: ShownProject) => {
    const now = clock.now();
    const value = await measureRule(sources, rule, project, now);
    const open = await findOpen(db, rule.id);
    const before = {
      firing: open.length > 0,
      aboveSince: rule.aboveSince?.getTime() ?? null,
      belowSince: rule.belowSince?.getTime() ?? null,
      peak: rule.peak,
      checkedAt: rule.checkedAt?.getTime() ?? null,
    };
    const { standing, change } = advance(before, findBounds(rule), now.getTime(), value);
    const found = {
      lastValue: value,
      aboveSince: toDate(standing.aboveSince),
      belowSince: toDate(standing.belowSince),
      peak: standing.peak,
    };
    await finish(rule, found, async (tx) => {
      if (change?.kind === 'fires') {
        const openedAt = new Date(change.since);
        const incident = { rule: toMeasure(rule), key: `since ${openedAt.toISOString()}`, openedAt };
        await openIncidents(tx, [{ ...incident, peak: change.peak, ...(value === null ? {} : { value }) }]);
      }
      const ids = open.map(({ id }) => id);
      if (standing.peak !== null) await storePeak(tx, ids, standing.peak);
      if (change?.kind === 'recovers') await closeIncidents(tx, ids, now);
    });
  };

  /**
   * True if requests can have failed since the previous check. Otherwise the check does not list the errors, because a list reads all
   * stored errors and is slow.
   */
  const hasFailures = async (rule: RuleRow, project: ShownProject): Promise<boolean> => {
    if (rule.checkedAt === null) return true;
    const range = {
      from: toMicros(rule.checkedAt.getTime() - LATE_MS),
      until: toMicros(clock.now().getTime() + MINUTE_MS),
    };
    return (await sources.measure(project, rule, range)).errors > 0;
  };

  const checkErrors = async (rule: RuleRow, project: ShownProject) => {
    const open = await findOpen(db, rule.id);
    if (open.length === 0 && !(await hasFailures(rule, project))) return finish(rule, {}, async () => {});
    const { errors, isAll } = await sources.errors(project, rule);
    const known = new Map(
      errors.flatMap((error) => [error.id, ...error.merged].map((id) => [id, error] as const)),
    );
    const over = open.filter(({ errorId }) => {
      const error = known.get(errorId ?? '');
      return error === undefined ? isAll : error.state === 'resolved' || error.state === 'ignored';
    });
    const news = errors.filter((error) => isNews(rule, error));
    const had = await findKeys(
      db,
      rule.id,
      news.flatMap((error) => [...listOwnKeys(rule, error), ...listKeysBeforeSplit(rule, error)]),
    );
    const splitTimes = news.some(({ splitFrom }) => splitFrom !== null)
      ? await sources.splitTimes(project)
      : new Map<string, Date>();
    const isReportedError = (error: ErrorGroup) => {
      const splitMs = splitTimes.get(error.splitFrom ?? '')?.getTime() ?? 0;
      return (
        listOwnKeys(rule, error).some((key) => had.has(key)) ||
        listKeysBeforeSplit(rule, error).some((key) => (had.get(key) ?? splitMs) < splitMs)
      );
    };
    const unreported = news.filter((error) => !isReportedError(error)).slice(0, MAX_NEW);
    await finish(rule, {}, async (tx) => {
      await openIncidents(
        tx,
        unreported.map((error) => {
          const key = buildKey(rule, error);
          const { id, service, message } = error;
          return {
            rule: toMeasure(rule),
            key,
            openedAt: new Date(rule.kind === 'new_error' ? error.firstSeen : error.lastSeen),
            errorId: id,
            sealedError: deps.sealer.seal(JSON.stringify({ id, service, message }), key),
          };
        }),
      );
      await closeIncidents(
        tx,
        over.map(({ id }) => id),
        clock.now(),
      );
    });
  };

  const checkInsights = async (rule: RuleRow, project: ShownProject) => {
    const now = clock.now();
    const isFirst = rule.checkedAt === null;
    const sinceMs = now.getTime() - (rule.checkedAt?.getTime() ?? 0);
    if (!isFirst && sinceMs < INSIGHT_CHECK_MINUTES * MINUTE_MS - EVERY_MS) return;
    const open = await findOpen(db, rule.id);
    const found = (await sources.insights(project, rule)).filter((finding) => isReported(rule, finding));
    const over = open.filter(
      ({ id, errorId }) => !found.some((finding) => isInsight(finding, errorId, readIdTime(id))),
    );
    const keys = await findKeys(
      db,
      rule.id,
      found
        .flatMap(({ id, earlier }) => [id, ...(earlier === undefined ? [] : [earlier.id])])
        .map(buildInsightKey),
    );
    const news = found.filter(
      (finding) =>
        ![finding.id, finding.earlier?.id ?? ''].some((id) => {
          const storedMs = keys.get(buildInsightKey(id));
          return storedMs !== undefined && isInsight(finding, id, storedMs);
        }),
    );
    // Insights that existed before the rule are stored as incidents without a message.
    const announced = isFirst ? { announcedAt: now, announcedEndAt: now } : {};
    await finish(rule, {}, async (tx) => {
      await openIncidents(
        tx,
        (isFirst ? news : news.slice(0, MAX_NEW)).map(({ id, service, severity, title, since }) => ({
          rule: toMeasure(rule),
          key: buildInsightKey(id),
          openedAt: new Date(since),
          errorId: id,
          sealedError: deps.sealer.seal(
            JSON.stringify({ id, service, severity, title }),
            buildInsightKey(id),
          ),
          ...announced,
        })),
      );
      await closeIncidents(
        tx,
        over.map(({ id }) => id),
        now,
      );
    });
  };

  const checkKind = (rule: RuleRow, project: ShownProject): Promise<void> => {
    if (isOfError(rule.kind)) return checkErrors(rule, project);
    return rule.kind === 'insight' ? checkInsights(rule, project) : checkMetric(rule, project);
  };

  const checkRule = async (rule: RuleRow) => {
    try {
      const project = await deps.projects.shown(rule.projectId);
      if (project === undefined) return;
      await checkKind(rule, project);
    } catch (err) {
      log.warn(
        { err, rule: rule.id },
        'an alert rule could not be checked; the server will try again in a minute',
      );
    }
  };

  return async (isClosed) => {
    while (!isClosed()) {
      const now = clock.now();
      const leaseUntil = new Date(now.getTime() + EVERY_MS);
      const rules = await takeDueRules(db, { now, leaseUntil, limit: AT_ONCE });
      if (rules.length === 0) return;
      for (const rule of rules) await checkRule(rule);
    }
  };
}

function findBounds({ kind, threshold, minutes }: RuleRow) {
  const lastingMs = (minutes ?? 0) * MINUTE_MS;
  // The metric is 0 if a request began within the rule's minutes, so any request ends the incident.
  if (kind === 'no_traffic') return { threshold: 0, recovery: 0, lastingMs: 0 };
  return { threshold: threshold ?? 0, recovery: (threshold ?? 0) * RECOVERY_SHARE, lastingMs };
}

/**
 * True if the rule must report the error. A rule about new errors reports errors that were first seen after `since`. A rule about reopened
 * errors reports errors that were last seen after `since`. `since` is when the rule was created, or was changed to measure something else.
 */
function isNews({ kind, since }: RuleRow, error: ErrorGroup): boolean {
  if (kind === 'new_error') return error.state === 'new' && Date.parse(error.firstSeen) >= since.getTime();
  return error.state === 'reopened' && Date.parse(error.lastSeen) >= since.getTime();
}

/** True if the insight is severe enough and about the rule's endpoint. A rule without an endpoint covers all endpoints. */
function isReported({ severity, endpoint }: RuleRow, finding: Finding): boolean {
  const least = ALERT_SEVERITIES.indexOf(severity ?? 'low');
  if (ALERT_SEVERITIES.indexOf(finding.severity) > least) return false;
  if (endpoint === null) return true;
  return finding.endpoint !== null && `${finding.endpoint.method} ${finding.endpoint.path}` === endpoint;
}

/**
 * True if an incident with the stored id is about the insight. The stored id can also be the id that an earlier version of the server gave
 * to the insight.
 */
function isInsight({ id, earlier }: WatchedFinding, storedId: string | null, storedMs: number): boolean {
  return storedId === id || (earlier !== undefined && storedId === earlier.id && storedMs >= earlier.fromMs);
}

/** Builds the key of an insight's incident. The key has no time, so an insight is reported only once. */
function buildInsightKey(id: string): string {
  return `insight ${id}`;
}

/**
 * Builds the key of an error's incident. An incident is opened only once per key, so an error is reported as new only once, and as reopened
 * only once after each time that a user changed the error's state.
 */
function buildKey({ kind }: RuleRow, { id, changed }: ErrorGroup): string {
  return kind === 'new_error' ? `new ${id}` : `reopened ${id} ${changed?.at ?? ''}`;
}

/**
 * Lists the keys under which an error can have been reported. If other errors were merged into this error, the list includes the keys of
 * their ids.
 */
function listOwnKeys(rule: RuleRow, error: ErrorGroup): string[] {
  return [error.id, ...error.merged].map((id) => buildKey(rule, { ...error, id }));
}

/**
 * If the error was split off another error (`splitFrom`), lists the other error's key: before the split, this error was reported as
 * reopened under that key.
 */
function listKeysBeforeSplit(rule: RuleRow, error: ErrorGroup): string[] {
  return error.splitFrom === null || rule.kind === 'new_error'
    ? []
    : [buildKey(rule, { ...error, id: error.splitFrom })];
}

function toDate(ms: number | null): Date | null {
  return ms === null ? null : new Date(ms);
}
