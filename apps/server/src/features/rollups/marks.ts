import type { TraceStore } from '../../platform/trace-store/index.ts';
import { type ProjectHour, toText } from './hours.ts';
import { insertMarks } from './store.ts';

/** How long a mark stands for further changes: they need not be marked one by one. */
const MARK_HOLDS_MS = 60_000;

/** A change that goes on; it ends when its rows are there, or are not going to be. */
export type EndOfChange = () => void;

/**
 * Which hours change, noted in the store before they do. Whoever makes an hour anew first takes its mark back with {@link HourMarks.take}: changes
 * from then on note it again, and while one goes on the hour cannot be taken.
 */
export interface HourMarks {
  /** Resolves once the hours are marked; the change may begin then. */
  changing(hours: readonly ProjectHour[]): Promise<EndOfChange>;
  /** Whether the hour may be made anew now. */
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

  /** Marks that no longer hold say nothing. */
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
