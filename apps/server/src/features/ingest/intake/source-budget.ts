import { SOURCE_LIMITS, type TraceSource } from '@throughline/contract';
import type { CheckedTrace } from '../decode/read-trace.ts';

/**
 * Limits the source code per body. Redacting source code is slow for its size, so code beyond the limit is left out. The service sends the
 * omitted code again within an hour.
 */
export class SourceBudget {
  #left: number = SOURCE_LIMITS.bodyCharacters;

  /** Returns the trace with only the functions that fit; the same object if all functions fit. */
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
