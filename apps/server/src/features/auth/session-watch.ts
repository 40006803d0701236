import type { Clock } from '../../platform/clock.ts';
import type { ControlStore } from '../../platform/control-store/index.ts';
import type { SessionId } from '../../platform/ids.ts';
import type { Logger } from '../../platform/log.ts';
import { startPeriodicJob } from '../../platform/queues/periodic-job.ts';
import { ABSOLUTE_LIMIT_MS, IDLE_LIMIT_MS } from './sessions.ts';
import { deleteEndedSessions, findExistingSessions } from './store.ts';

const CHANNEL = 'session_ended';
const SWEEP_MS = 60_000;

/** Notifies long-lived connections, such as the live feed, when their session has ended. */
export interface SessionWatch {
  /**
   * Calls the listener once when the session ends, even if the session ended on another server. Returns a function that removes the
   * listener.
   */
  onEnded(id: SessionId, listener: () => void): () => void;
  /** Notifies every server that the session has ended. */
  announce(id: SessionId): Promise<void>;
  close(): Promise<void>;
}

export async function createSessionWatch(deps: {
  readonly control: ControlStore;
  readonly clock: Clock;
  readonly log: Logger;
}): Promise<SessionWatch> {
  const { control, clock, log } = deps;
  const listeners = new Map<SessionId, Set<() => void>>();
  const notify = (id: SessionId) => {
    const notified = listeners.get(id);
    listeners.delete(id);
    for (const listener of notified ?? []) listener();
  };
  const recheck = async () => {
    const watched = [...listeners.keys()];
    const existing = await findExistingSessions(control.db, watched);
    for (const id of watched) if (!existing.has(id)) notify(id);
  };
  const sweep = async () => {
    const nowMs = clock.now().getTime();
    await deleteEndedSessions(control.db, {
      createdBefore: new Date(nowMs - ABSOLUTE_LIMIT_MS),
      seenBefore: new Date(nowMs - IDLE_LIMIT_MS),
    });
    await recheck();
  };
  const failure = 'the server could not check which sessions have ended';
  const recheckQuietly = () => {
    recheck().catch((err: unknown) => log.warn({ err }, failure));
  };
  // Checks the sessions again after a reconnect, because notifications can have been lost while the connection was down.
  await control.listen(CHANNEL, (id) => notify(id as SessionId), recheckQuietly);
  const job = startPeriodicJob({ everyMs: SWEEP_MS, work: sweep, log, failure });
  return {
    onEnded(id, listener) {
      const own = listeners.get(id) ?? new Set();
      listeners.set(id, own.add(listener));
      return () => {
        own.delete(listener);
        if (own.size === 0 && listeners.get(id) === own) listeners.delete(id);
      };
    },
    async announce(id) {
      notify(id);
      await control.notify(CHANNEL, id);
    },
    close: job.close,
  };
}
