import { formatDay, routes, TEXTS } from '@throughline/contract';
import { type Clock, toMicros } from '../../platform/clock.ts';
import type { ControlStore } from '../../platform/control-store/index.ts';
import { refuseField } from '../../platform/http/errors.ts';
import type { ShownProject } from '../../platform/http/guard.ts';
import { type HttpContext, serve, serveAnyone } from '../../platform/http/serve.ts';
import type { ProjectId, UserId } from '../../platform/ids.ts';
import type { Logger } from '../../platform/log.ts';
import type { Mailer } from '../../platform/mail/index.ts';
import type { FairMutex } from '../../platform/queues/fair-mutex.ts';
import { startPeriodicJob } from '../../platform/queues/periodic-job.ts';
import { createSealer } from '../../platform/start/secrets.ts';
import type { Alerts } from '../alerts/index.ts';
import type { Errors } from '../errors/index.ts';
import type { InsightsFeature } from '../insights/index.ts';
import type { Rollups } from '../rollups/index.ts';
import { deleteWeeksBefore, isDigestOn, saveChoice } from './digest-store.ts';
import { createSending } from './send-digests.ts';
import type { DigestSources } from './summarize-project.ts';
import { registerOneClick } from './unsubscribe-by-mail.ts';
import { readUnsubscribeToken } from './unsubscribe-link.ts';

const DAY_MS = 86_400_000;
/** The interval at which this server looks for digests that are due. */
const POLL_MS = 5 * 60_000;
/** How long the rows of earlier weeks are stored. They have no effect, but the operator can use them to answer questions of users. */
const KEPT_MS = 60 * DAY_MS;

/** The weekly digest: a mail to each user about the user's projects, and the user's choice to get no digest. */
export interface Digest {
  register(http: HttpContext): void;
  /** Queues the digests that are due. Runs automatically every few minutes. */
  run(): Promise<void>;
  deleteOld(now: Date): Promise<void>;
  close(): Promise<void>;
}

export interface DigestDeps {
  readonly control: ControlStore;
  readonly clock: Clock;
  readonly log: Logger;
  readonly secretKey: Buffer;
  readonly mail: Pick<Mailer, 'send'>;
  readonly projects: { shown(id: ProjectId): Promise<ShownProject | undefined> };
  readonly publicUrl: () => string;
  readonly sources: DigestSources;
  /** True if a mail server is configured, so that the server can send mails. */
  readonly mailServer: boolean;
  /** True if digests are queued. Without a mail server they would only fill the outbox folder. */
  readonly isSending: boolean;
}

/** Reads the data of digests from the other features. */
export function createDigestSources(deps: {
  readonly rollups: Pick<Rollups, 'requests'>;
  readonly turns: FairMutex;
  readonly errors: Pick<Errors, 'listSeen'>;
  readonly insights: Pick<InsightsFeature, 'countOpen'>;
  readonly alerts: Pick<Alerts, 'countIncidents'>;
}): DigestSources {
  const { rollups, turns, errors, insights, alerts } = deps;
  return {
    async measure(project, range) {
      const [row] = await turns.run(project.id, () => rollups.requests(project, toMicroRange(range), []));
      if (row === undefined) return { requests: 0, errors: 0, p95: 0 };
      return { requests: row.requests, errors: row.errors, p95: row.durations[1] / 1000 };
    },
    errors: (project, range) => errors.listSeen(project, toMicroRange(range)),
    insights: insights.countOpen,
    incidents: alerts.countIncidents,
  };
}

function toMicroRange({ from, until }: { readonly from: Date; readonly until: Date }) {
  return { from: toMicros(from.getTime()), until: toMicros(until.getTime()) };
}

export function createDigest(given: DigestDeps): Digest {
  const { control, clock, log, mailServer } = given;
  const deps = { ...given, sealer: createSealer(given.secretKey, 'digest') };
  const send = createSending(deps);
  const sending = startPeriodicJob({
    everyMs: POLL_MS,
    work: async (closing) => {
      if (given.isSending) await send(() => closing.aborted);
    },
    log,
    failure: 'the weekly digests could not be queued',
  });

  const choose = (userId: UserId, isOn: boolean) =>
    saveChoice(control.db, { userId, isOn, changedAt: clock.now() });
  const describe = async (userId: UserId) => ({
    digest: { on: await isDigestOn(control.db, userId), mailServer },
  });
  /** @throws AppError `validation_failed` */
  const unsubscribe = async (token: string) => {
    const userId = readUnsubscribeToken(deps.sealer, token);
    if (userId === undefined) throw refuseField('token', TEXTS.unsubscribeLinkInvalid);
    await choose(userId, false);
  };

  return {
    run: sending.run,
    async deleteOld(now) {
      await deleteWeeksBefore(control.db, formatDay(new Date(now.getTime() - KEPT_MS)));
    },
    register(http) {
      const { digest } = routes;
      serve(http, digest.read, ({ caller }) => describe(caller.userId));
      serve(http, digest.update, async ({ caller, body }) => {
        await choose(caller.userId, body.on);
        return describe(caller.userId);
      });
      serveAnyone(http, digest.unsubscribe, async ({ body }) => {
        await unsubscribe(body.token);
        return { success: true as const };
      });
      registerOneClick(http.app, unsubscribe);
    },
    close: sending.close,
  };
}
