import { ALERT_DAYS, routes } from '@throughline/contract';
import type { Clock } from '../../platform/clock.ts';
import type { ControlStore } from '../../platform/control-store/index.ts';
import type { ShownProject } from '../../platform/http/guard.ts';
import { getProject, type HttpContext, serve } from '../../platform/http/serve.ts';
import type { ProjectId } from '../../platform/ids.ts';
import type { Logger } from '../../platform/log.ts';
import type { Mailer } from '../../platform/mail/index.ts';
import type { FairMutex } from '../../platform/queues/fair-mutex.ts';
import { startPeriodicJob } from '../../platform/queues/periodic-job.ts';
import { createSealer } from '../../platform/start/secrets.ts';
import type { TraceStore } from '../../platform/trace-store/index.ts';
import { type Audit, buildActor } from '../audit/index.ts';
import type { Errors } from '../errors/index.ts';
import type { InsightsFeature } from '../insights/index.ts';
import { createRuleCheck } from './check-rules.ts';
import { createDelivering } from './deliveries/deliver.ts';
import { deleteDeliveriesBefore } from './deliveries/deliveries-store.ts';
import { measure } from './figures-store.ts';
import { countIncidents, deleteIncidentsBefore } from './incidents-store.ts';
import { listIncidents } from './list-incidents.ts';
import { createAlertsService } from './service.ts';
import type { Sources } from './sources.ts';

const DAY_MS = 86_400_000;
/** The interval at which this server looks for due rules and deliveries. */
const POLL_MS = 15_000;

/** Alerts of projects: rules that are checked each minute, incidents, and deliveries that are retried. */
export interface Alerts {
  register(http: HttpContext): void;
  /** Checks the due rules, then sends the due deliveries. Runs automatically every 15 seconds. */
  run(): Promise<void>;
  /** Counts a project's incidents that began in a range, and how many of these incidents are ongoing. */
  countIncidents(
    project: ProjectId,
    range: { readonly from: Date; readonly until: Date },
  ): Promise<{ readonly incidents: number; readonly ongoing: number }>;
  /** Deletes incidents and deliveries that are too old. */
  deleteOld(now: Date): Promise<void>;
  close(): Promise<void>;
}

export interface AlertsDeps {
  readonly control: ControlStore;
  readonly clock: Clock;
  readonly log: Logger;
  readonly secretKey: Buffer;
  readonly audit: Audit;
  readonly mail: Pick<Mailer, 'sendNow'>;
  readonly projects: { shown(id: ProjectId): Promise<ShownProject | undefined> };
  readonly publicUrl: () => string;
  readonly allowPrivate: boolean;
  readonly sources: Sources;
}

/** Reads the data that rules need from the stored traces. */
export function createSources(deps: {
  readonly store: TraceStore;
  readonly turns: FairMutex;
  readonly errors: Pick<Errors, 'listRecent' | 'findSplitTimes' | 'findSeen'>;
  readonly insights: Pick<InsightsFeature, 'listOpen' | 'requirePlan'>;
}): Sources {
  const { store, turns, insights } = deps;
  return {
    measure: (project, scope, range) => turns.run(project.id, () => measure(store, project, scope, range)),
    errors: (project, { service, environment, endpoint, filter }) =>
      deps.errors.listRecent(project, { service, environment, endpoint, filter }),
    splitTimes: (project) => deps.errors.findSplitTimes(project),
    seenErrors: (project, stored) => deps.errors.findSeen(project, stored),
    insights: (project, { service, environment }) => insights.listOpen(project, { service, environment }),
    requireInsights: insights.requirePlan,
  };
}

export function createAlerts(given: AlertsDeps): Alerts {
  const { control, log } = given;
  const deps = { ...given, sealer: createSealer(given.secretKey, 'alerts') };
  const service = createAlertsService(deps);
  const checkRules = createRuleCheck(deps);
  const deliver = createDelivering(deps);
  // Messages are sent independently of the checks, because a recipient that does not respond must not delay any rule.
  const delivering = startPeriodicJob({
    everyMs: POLL_MS,
    work: (closing) => deliver(() => closing.aborted),
    log,
    failure: 'the queue of alert messages could not be read',
  });
  const checking = startPeriodicJob({
    everyMs: POLL_MS,
    async work(closing) {
      await checkRules(() => closing.aborted);
      void delivering.trigger();
    },
    log,
    failure: 'the alert rules could not be read',
  });

  return {
    async run() {
      await checking.trigger();
      await delivering.trigger();
    },
    countIncidents: (project, range) => countIncidents(control.db, project, range),
    async deleteOld(now) {
      const before = new Date(now.getTime() - ALERT_DAYS * DAY_MS);
      await deleteIncidentsBefore(control.db, before);
      await deleteDeliveriesBefore(control.db, before);
    },
    register(http) {
      const { alerts } = routes;
      serve(http, alerts.list, async ({ scope }) => service.list(getProject(scope).id));
      serve(http, alerts.create, async ({ caller, request, scope, body }) =>
        service.create(buildActor(caller, request), getProject(scope).id, body),
      );
      serve(http, alerts.update, async ({ caller, request, scope, params, body }) =>
        service.update(buildActor(caller, request), getProject(scope).id, params.ruleId, body),
      );
      serve(http, alerts.remove, async ({ caller, request, scope, params }) => {
        await service.remove(buildActor(caller, request), getProject(scope).id, params.ruleId);
        return { success: true as const };
      });
      serve(http, alerts.test, async ({ scope, params }) => {
        const deliveries = await service.test(getProject(scope).id, params.ruleId);
        void delivering.trigger();
        return { deliveries };
      });
      serve(http, alerts.deliveries, async ({ scope }) => ({
        deliveries: await service.deliveries(getProject(scope).id),
      }));
      serve(http, alerts.incidents, async ({ scope, query }) =>
        listIncidents(deps, getProject(scope), query),
      );
    },
    async close() {
      await checking.close();
      await delivering.close();
    },
  };
}
