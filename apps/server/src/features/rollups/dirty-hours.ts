import type { TraceStore } from '../../platform/trace-store/index.ts';
import { type ProjectHour, toText } from './hours.ts';
import { insertMarks } from './store.ts';

/** Time for which the mark of an hour is valid. Further changes of the hour within this time need no new mark. */
const MARK_HOLDS_MS = 60_000;

/** Called when a change has ended: the changed rows are stored, or storing them failed. */
export type EndMutation = () => void;

/**
 * Marks hours in the store before they change. A rebuild first takes the mark of an hour with {@link HourMarks.take}. Later changes mark
 * the hour again. An hour with a change in progress cannot be taken.
 */
export interface HourMarks {
  /** Resolves when the hours are marked and the change can begin. */
  changing(hours: readonly ProjectHour[]): Promise<EndMutation>;
  /** Takes the mark of an hour, before the hour is rebuilt. Returns false if the hour cannot be rebuilt now. */
  take(hour: ProjectHour): boolean;
}

interface Mark {
  readonly written: Promise<void>;
  readonly untilMs: number;
}

export function createHourMarks(store: TraceStore): HourMarks {
  const marks = new Map<string, Mark>();
  const goingOn = new Map<string, number>();
  const count = (name: string, more: number) => {
    const now = (goingOn.get(name) ?? 0) + more;
    if (now === 0) goingOn.delete(name);
    else goingOn.set(name, now);
  };

  /** Removes expired marks. */
  const forgetOld = (nowMs: number) => {
    for (const [name, { untilMs }] of marks) {
      if (untilMs > nowMs) return;
      marks.delete(name);
    }
  };

  const mark = async (hours: ReadonlyMap<string, ProjectHour>): Promise<void> => {
    const nowMs = performance.now();
    forgetOld(nowMs);
    const fresh = [...hours].filter(([name]) => !marks.has(name));
    const written = insertMarks(
      store,
      fresh.map(([, hour]) => hour),
    );
    for (const [name] of fresh) marks.set(name, { written, untilMs: nowMs + MARK_HOLDS_MS });
    try {
      await Promise.all([...hours.keys()].map((name) => marks.get(name)?.written));
    } catch (error) {
      for (const [name] of fresh) marks.delete(name);
      throw error;
    }
  };

  return {
    async changing(hours) {
      const named = new Map(hours.map((hour) => [toText(hour), hour]));
      for (const name of named.keys()) count(name, 1);
      const end = () => {
        for (const name of named.keys()) count(name, -1);
        named.clear();
      };
      try {
        await mark(named);
      } catch (error) {
        end();
        throw error;
      }
      return end;
    },
    take(hour) {
      const name = toText(hour);
      if (goingOn.has(name)) return false;
      marks.delete(name);
      return true;
    },
  };
}
