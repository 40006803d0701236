import { SOURCE_LIMITS, type TraceSource } from '@throughline/contract';
import type { CheckedTrace } from '../decode/read-trace.ts';

/**
 * Room for the source text in one body. Redacting source takes long for its size, so text beyond the limit is left out: its service sends it again
 * within an hour.
 */
export class SourceRoom {
  #left: number = SOURCE_LIMITS.bodyCharacters;

  /** Returns the trace with the functions that fit; the very same where all of them do. */
  fit(checked: CheckedTrace): CheckedTrace {
    const { sources } = checked.head;
    if (!sources?.some(({ functions }) => functions !== undefined)) return checked;
    return {
      ...checked,
      head: { ...checked.head, sources: sources.map((source) => this.#fitSource(source)) },
    };
  }

  #fitSource(source: TraceSource): TraceSource {
    const functions = source.functions?.filter(({ text }) => {
      const fits = text.length <= this.#left;
      if (fits) this.#left -= text.length;
      return fits;
    });
    return functions === undefined ? source : { ...source, functions };
  }
}
