import {
  type AnalyticsQuery,
  checkLimit,
  type Finding,
  findWatchedStart,
  formatDay,
  type Insights,
  type InsightsSummary,
  type NewFindingDecision,
  routes,
} from '@throughline/contract';
import { type Clock, toMicros } from '../../platform/clock.ts';
import type { LanguageModelConfig } from '../../platform/config.ts';
import type { ControlStore } from '../../platform/control-store/index.ts';
import { AppError } from '../../platform/http/errors.ts';
import type { ShownProject, VisibleProject } from '../../platform/http/guard.ts';
import { assertWithinLimit } from '../../platform/http/plan-limit-errors.ts';
import { getProject, type HttpContext, serve } from '../../platform/http/serve.ts';
import type { ProjectId, UserId } from '../../platform/ids.ts';
import type { Logger } from '../../platform/log.ts';
import { FairMutex } from '../../platform/queues/fair-mutex.ts';
import type { TraceStore } from '../../platform/trace-store/index.ts';
import {
  countShownDays,
  createRecentResults,
  createResultCache,
  type DatedResult,
  describeRange,
  findTerms,
  readScope,
  type Scope,
} from '../analytics/index.ts';
import { findDeletionState } from '../deletions/index.ts';
import { type Errors, findErrorGrouping } from '../errors/index.ts';
import type { Rollups } from '../rollups/index.ts';
import { readInBackground } from './background-reads.ts';
import { findFindingDecisions, putFindingDecision } from './decisions/decisions-store.ts';
import { describeDecision, splitFindings } from './decisions/split-findings.ts';
import type { EarlierFinding } from './error-unit.ts';
import { type FoundInsights, findHistoryStart, findLater, searchFindings } from './find-insights.ts';
import { hashId } from './findings.ts';
import { summarize } from './language-model.ts';
import { sampleFindings } from './sample.ts';

/** Maximum number of cached results per process. Findings are few and short. */
const MAX_KEPT = 200;
/** From this number of examined requests on, the findings of a range that still gets requests are cached for some minutes. */
const MANY_REQUESTS = 50_000;
/**
 * Requests older than this count as complete. If such a request changes or arrives late, cached findings are not used, and the search runs
 * again.
 */
const COMPLETE_MS = 2 * 3_600_000;
const DAY_MS = 86_400_000;
/** The format of a finding's id. */
const FINDING_ID = /^[0-9a-f]{16}$/;

/** A finding. `earlier` is the id that an earlier version of the server gave to the finding, if that id differs. */
export type WatchedFinding = Finding & { readonly earlier?: EarlierFinding };

/** Finds problems of a project's services in the project's traces. */
export interface InsightsFeature {
  /**
   * Returns the findings of the last week that nobody has hidden. Returns an empty list if the plan has no insights.
   * @throws AppError `not_found`
   */
  listOpen(
    project: ShownProject,
    filters: { readonly service: string | null; readonly environment: string | null },
  ): Promise<readonly WatchedFinding[]>;
  /**
   * Returns the findings of a range that nobody has hidden, and their number. Plans without insights get the number, too, but `findings`
   * is null. Returns undefined if the project was deleted.
   */
  countOpen(
    project: ShownProject,
    range: { readonly from: Date; readonly until: Date },
  ): Promise<{ readonly count: number; readonly findings: readonly Finding[] | null } | undefined>;
  /** @throws AppError `plan_limit` if the plan has no insights, `not_found` */
  requirePlan(project: ProjectId): Promise<void>;
  register(http: HttpContext): void;
}

export function createInsights(deps: {
  readonly control: ControlStore;
  readonly store: TraceStore;
  readonly rollups: Pick<Rollups, 'state'>;
  readonly errors: Pick<Errors, 'listSeen'>;
  readonly clock: Clock;
  readonly log: Logger;
  readonly model: LanguageModelConfig | undefined;
}): InsightsFeature {
  const { control, store, rollups, errors, clock, log, model } = deps;
  // Searches do not take turns with the analyses of pages, because a search takes seconds.
  const turns = new FairMutex();
  const limits = { count: MAX_KEPT, measure: () => 1, total: MAX_KEPT };
  const results = createResultCache<FoundInsights>(limits);
  const recent = createRecentResults<FoundInsights>({
    count: MAX_KEPT,
    isKept: ({ requestCount }) => requestCount >= MANY_REQUESTS,
    onError: (err) => log.warn({ err }, 'the search for findings could not be repeated in the background'),
  });
  const summaries = createResultCache<InsightsSummary>(limits);

  const findInsights = async (project: ShownProject, query: AnalyticsQuery): Promise<Insights> => {
    const now = clock.now();
    const scope = readScope(query, project, now);
    const terms = await findTerms(control.db, project.id, now);
    if (terms === undefined) throw new AppError('not_found');
    const range = describeRange(scope, terms.sampleRate);
    const { earlier: _, ...read } = await readFindings(project, scope, { query, now });
    const openFindings = countBySeverity(read.findings);
    if (checkLimit('insights', terms, 0) !== undefined) {
      return {
        ...{ ...read, range, available: false, summaryAvailable: false },
        ...{ openFindings, findings: sampleFindings(scope), hidden: [], returned: [] },
      };
    }
    return { range, available: true, summaryAvailable: model !== undefined, openFindings, ...read };
  };

  /** Reads the findings in a range, on any plan. With `isFresh`, cached findings of a range that still gets requests are not used. */
  const readFindings = async (
    project: ShownProject,
    scope: Scope,
    {
      query,
      now,
      isFresh = false,
    }: { readonly query: AnalyticsQuery; readonly now: Date; readonly isFresh?: boolean },
  ) => {
    const { from, until } = scope.reading;
    const grouping = await findErrorGrouping(control.db, project.id);
    const merged = hashId(grouping.merged, grouping.targets, [...grouping.splits.keys()]);
    const key = JSON.stringify([
      'insights',
      project.id,
      countShownDays(project, now),
      query,
      String(from),
      String(until),
      merged,
    ]);
    const make = async () => {
      // Splits errors that several functions throw, as the Errors page does, so that insights and the Errors page count the same errors.
      await errors.listSeen(project, { from, until });
      const present = await findErrorGrouping(control.db, project.id);
      return turns.runShared(project.id, key, () =>
        searchFindings(readInBackground(store), scope, now, present),
      );
    };
    const readState = (at: Date, complete: bigint) => {
      const since = findLater(findHistoryStart({ from, until }, at), project.shownSince);
      return since < complete
        ? rollups.state(project.id, { from: since, until: complete })
        : Promise.resolve(undefined);
    };
    const find = async (): Promise<DatedResult<FoundInsights>> => {
      if (until > toNowMicros(now)) {
        // Deleted data must not stay in cached findings, even if it is newer than COMPLETE_MS.
        const readRecentState = async (at: Date) => {
          const state = await readState(at, toMicros(at.getTime() - COMPLETE_MS));
          return state && JSON.stringify([state, await findDeletionState(control.db, project.id)]);
        };
        return recent.find({ key, now, isFresh, readState: readRecentState, make });
      }
      const isKept = findHistoryStart({ from, until }, now) >= project.shownSince;
      return {
        answer: await results.find(key, isKept ? await readState(now, until) : undefined, make),
        at: now,
      };
    };
    const { answer: found, at } = await find();
    const examined = { from: toDate(from), until: until < toNowMicros(at) ? toDate(until) : at };
    return {
      requestCount: found.requestCount,
      earlier: found.earlier,
      examinedUntil: examined.until.toISOString(),
      ...splitFindings(
        found.findings,
        await findFindingDecisions(control.db, project.id),
        examined,
        now,
        found.earlier,
      ),
    };
  };

  const decide = async (
    project: VisibleProject,
    findingId: string,
    { state, days }: NewFindingDecision,
    decidedBy: UserId,
  ) => {
    const now = clock.now();
    const terms = await findTerms(control.db, project.id, now);
    if (terms === undefined || !FINDING_ID.test(findingId)) throw new AppError('not_found');
    assertWithinLimit(checkLimit('insights', terms, 0));
    const until = days === undefined ? null : new Date(now.getTime() + days * DAY_MS);
    const decided = { projectId: project.id, findingId, state, until, decidedBy, decidedAt: now };
    await putFindingDecision(control.db, decided);
    const stored = (await findFindingDecisions(control.db, project.id, findingId)).get(findingId);
    return stored === undefined || stored.state === 'open'
      ? null
      : describeDecision({ ...stored, state: stored.state });
  };

  const formatFindings = async (project: VisibleProject, findings: readonly Finding[]) => {
    if (model === undefined || findings.length === 0) return null;
    // Identifies the findings in the cache of summaries, so that the language model does not summarize the same findings twice.
    const state = JSON.stringify(
      findings.map(({ id, severity, requestCount, userCount }) => [id, severity, requestCount, userCount]),
    );
    try {
      return await summaries.find(JSON.stringify([project.id, state]), state, async () => ({
        text: await summarize(model, findings),
        model: model.model,
        createdAt: clock.now().toISOString(),
      }));
    } catch (err) {
      log.warn({ err }, 'the language model could not describe findings');
      throw new AppError('unavailable', 'The language model does not respond. Try again later.');
    }
  };

  return {
    async countOpen(project, { from, until }) {
      const now = clock.now();
      const terms = await findTerms(control.db, project.id, now);
      if (terms === undefined) return undefined;
      const query = { startDate: from.toISOString(), endDate: until.toISOString(), timeZone: 'UTC' };
      const { findings } = await readFindings(project, readScope(query, project, now), { query, now });
      const isIncluded = checkLimit('insights', terms, 0) === undefined;
      return { count: findings.length, findings: isIncluded ? findings : null };
    },
    async listOpen(project, { service, environment }) {
      const query = {
        ...buildWatchedQuery(clock.now()),
        ...(service !== null && { service }),
        ...(environment !== null && { environment }),
      };
      const now = clock.now();
      const terms = await findTerms(control.db, project.id, now);
      if (terms === undefined) throw new AppError('not_found');
      if (checkLimit('insights', terms, 0) !== undefined) return [];
      const read = await readFindings(project, readScope(query, project, now), { query, now, isFresh: true });
      return read.findings.map((finding) => {
        const earlier = read.earlier.get(finding.id);
        return earlier === undefined ? finding : { ...finding, earlier };
      });
    },
    async requirePlan(id) {
      const terms = await findTerms(control.db, id, clock.now());
      if (terms === undefined) throw new AppError('not_found');
      assertWithinLimit(checkLimit('insights', terms, 0));
    },
    register(http) {
      const { decideInsight, insights, insightsSummary } = routes.analytics;
      serve(http, insights, async ({ scope, query }) => ({
        insights: await findInsights(getProject(scope), query),
      }));
      serve(http, insightsSummary, async ({ scope, query }) => {
        // Without a language model there is no summary, so the findings are not needed.
        if (model === undefined) return { summary: null };
        const project = getProject(scope);
        const { available, findings } = await findInsights(project, query);
        return { summary: available ? await formatFindings(project, findings) : null };
      });
      serve(http, decideInsight, async ({ scope, caller, params, body }) => ({
        decision: await decide(getProject(scope), params.findingId, body, caller.userId),
      }));
    },
  };
}

function buildWatchedQuery(now: Date) {
  return { startDate: formatDay(findWatchedStart(now)), endDate: formatDay(now), timeZone: 'UTC' };
}

function countBySeverity(findings: readonly Finding[]): Insights['openFindings'] {
  const counts = { high: 0, medium: 0, low: 0 };
  for (const { severity } of findings) counts[severity] += 1;
  return counts;
}

const toNowMicros = (now: Date) => toMicros(now.getTime());
const toDate = (micros: bigint) => new Date(Number(micros / 1000n));
