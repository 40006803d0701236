import type { Clock } from '../../platform/clock.ts';
import type { ControlStore } from '../../platform/control-store/index.ts';
import type { ShownProject } from '../../platform/http/guard.ts';
import type { ProjectId, UserId } from '../../platform/ids.ts';
import type { Logger } from '../../platform/log.ts';
import type { Mailer } from '../../platform/mail/index.ts';
import type { Sealer } from '../../platform/start/secrets.ts';
import { composeDigest, type NamedProjectWeek } from './compose-digest.ts';
import { findDue, findProjects, insertWeek, lockRecipient } from './digest-store.ts';
import { type DigestSources, type ProjectWeek, summarizeProject } from './summarize-project.ts';
import { createUnsubscribeToken } from './unsubscribe-link.ts';
import { findDueWeek, type Week } from './week.ts';

const AT_ONCE = 50;
/**
 * After a failure, the server waits this long before it tries again to send the missing digests, so that a store that fails is not queried
 * all the time.
 */
const PAUSE_MS = 30 * 60_000;

export interface SendDeps {
  readonly control: ControlStore;
  readonly clock: Clock;
  readonly log: Logger;
  readonly mail: Pick<Mailer, 'send'>;
  readonly sealer: Sealer;
  readonly projects: { shown(id: ProjectId): Promise<ShownProject | undefined> };
  readonly publicUrl: () => string;
  readonly sources: DigestSources;
}

/**
 * Returns a function that queues the digests that are due. Several servers can run the function at the same time: the row of a user's week
 * is written in the transaction that queues the mail, so only one server queues the mail.
 */
export function createSending(deps: SendDeps): (isClosed: () => boolean) => Promise<void> {
  const { clock, log, mail, sealer, sources } = deps;
  const { db } = deps.control;
  let pausedUntilMs = 0;

  const summarize = async (id: ProjectId, week: Week): Promise<ProjectWeek | undefined> => {
    const project = await deps.projects.shown(id);
    return project === undefined ? undefined : summarizeProject(sources, project, week);
  };

  const sendTo = async (userId: UserId, week: Week, summaries: Summaries): Promise<void> => {
    const read = new Map<ProjectId, ProjectWeek>();
    for (const { id } of await findProjects(db, userId, week)) {
      const found = await remember(summaries, id, () => summarize(id, week));
      if (found !== undefined) read.set(id, found);
    }
    await db.transaction(async (tx) => {
      const recipient = await lockRecipient(tx, userId, week);
      if (recipient === undefined) return;
      // Reads the projects again, because the user can have left the organization since the digest was computed.
      const projects = (await findProjects(tx, userId, week)).flatMap(({ id, name }): NamedProjectWeek[] => {
        const found = read.get(id);
        return found === undefined ? [] : [{ ...found, name }];
      });
      const isSent = projects.length > 0;
      const row = { userId, week: week.name, isSent, handledAt: clock.now() };
      if (!(await insertWeek(tx, row)) || !isSent) return;
      const unsubscribeUrl = `${deps.publicUrl()}/unsubscribe/${createUnsubscribeToken(sealer, userId)}`;
      const { email: to, name } = recipient;
      await mail.send(
        tx,
        composeDigest({ to, name, week, projects, publicUrl: deps.publicUrl(), unsubscribeUrl }),
      );
    });
  };

  return async (isClosed) => {
    const now = clock.now();
    const week = findDueWeek(now);
    if (week === undefined || now.getTime() < pausedUntilMs) return;
    const summaries: Summaries = new Map();
    for (let after: UserId | undefined; ; ) {
      const due = await findDue(db, week, { after, limit: AT_ONCE });
      for (const { id } of due) {
        if (isClosed()) return;
        try {
          await sendTo(id, week, summaries);
        } catch (err) {
          pausedUntilMs = clock.now().getTime() + PAUSE_MS;
          log.warn({ err, user: id }, 'a weekly digest could not be queued, and is tried again later');
        }
      }
      after = due.at(-1)?.id;
      if (due.length < AT_ONCE) return;
    }
  };
}

/**
 * The data about the weeks of projects that this run has computed. Each week is computed only once, because members of an organization
 * share its projects.
 */
type Summaries = Map<ProjectId, ProjectWeek | undefined>;

async function remember(
  summaries: Summaries,
  id: ProjectId,
  compute: () => Promise<ProjectWeek | undefined>,
): Promise<ProjectWeek | undefined> {
  if (!summaries.has(id)) summaries.set(id, await compute());
  return summaries.get(id);
}
