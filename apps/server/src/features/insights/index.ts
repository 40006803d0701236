import {
  type AnalyticsQuery,
  checkLimit,
  type Finding,
  type Insights,
  type InsightsSummary,
  routes,
} from '@throughline/contract';
import type { Clock } from '../../platform/clock.ts';
import type { LanguageModelConfig } from '../../platform/config.ts';
import type { ControlStore } from '../../platform/control-store/index.ts';
import { AppError } from '../../platform/http/errors.ts';
import type { VisibleProject } from '../../platform/http/guard.ts';
import { getProject, type HttpContext, serve } from '../../platform/http/serve.ts';
import type { Logger } from '../../platform/log.ts';
import type { FairMutex } from '../../platform/queues/fair-mutex.ts';
import type { TraceStore } from '../../platform/trace-store/index.ts';
import { createKeptAnswers, findTerms, rangeAnswer, readScope } from '../analytics/index.ts';
import type { Rollups } from '../rollups/index.ts';
import { summarize } from './language-model.ts';
import { sampleFindings } from './sample.ts';
import { findHistoryStart, searchFindings } from './search.ts';

/** Findings are few and short. */
const MAX_KEPT = 200;

/** Finds problems of a project's services in their traces. */
export interface InsightsFeature {
  register(http: HttpContext): void;
}

export function createInsights(deps: {
  readonly control: ControlStore;
  readonly store: TraceStore;
  readonly rollups: Pick<Rollups, 'state'>;
  readonly clock: Clock;
  /** All analyses run in these turns; their owners are projects. */
  readonly turns: FairMutex;
  readonly log: Logger;
  readonly model: LanguageModelConfig | undefined;
}): InsightsFeature {
  const { control, store, rollups, clock, turns, log, model } = deps;
  const limits = { count: MAX_KEPT, measure: () => 1, total: MAX_KEPT };
  const kept = createKeptAnswers<Awaited<ReturnType<typeof searchFindings>>>(limits);
  const summaries = createKeptAnswers<InsightsSummary>(limits);

  const findInsights = async (project: VisibleProject, query: AnalyticsQuery): Promise<Insights> => {
    const now = clock.now();
    const scope = readScope(query, project, now);
    const terms = await findTerms(control.db, project.id, now);
    if (terms === undefined) throw new AppError('not_found');
    const range = rangeAnswer(scope, terms.sampleRate);
    if (checkLimit('insights', terms, 0) !== undefined) {
      const findings = sampleFindings(scope);
      return { range, available: false, summaryAvailable: false, findings, requestCount: 0 };
    }
    const { from, until } = scope.reading;
    const since = findHistoryStart({ from, until }, now);
    const settled = since >= project.shownSince && until <= BigInt(now.getTime()) * 1000n;
    const state = settled ? await rollups.state(project.id, { from: since, until }) : undefined;
    const key = JSON.stringify(['insights', project.id, query, String(from), String(until)]);
    const found = await kept.find(key, state, () =>
      turns.runShared(project.id, key, () => searchFindings(store, scope, now)),
    );
    return { range, available: true, summaryAvailable: model !== undefined, ...found };
  };

  const inWords = async (project: VisibleProject, findings: readonly Finding[]) => {
    if (model === undefined || findings.length === 0) return null;
    // The same findings are not told twice.
    const said = JSON.stringify(findings.map(({ id, requestCount }) => [id, requestCount]));
    try {
      return await summaries.find(JSON.stringify([project.id, said]), said, async () => ({
        text: await summarize(model, findings),
        model: model.model,
        createdAt: clock.now().toISOString(),
      }));
    } catch (err) {
      log.warn({ err }, 'findings could not be put into words');
      throw new AppError('unavailable', 'The language model does not answer. Please try again later.');
    }
  };

  return {
    register(http) {
      const { insights, insightsSummary } = routes.analytics;
      serve(http, insights, async ({ scope, query }) => ({
        insights: await findInsights(getProject(scope), query),
      }));
      serve(http, insightsSummary, async ({ scope, query }) => {
        const project = getProject(scope);
        const { available, findings } = await findInsights(project, query);
        return { summary: available ? await inWords(project, findings) : null };
      });
    },
  };
}
