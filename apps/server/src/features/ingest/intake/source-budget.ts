import { SOURCE_LIMITS, type TraceSource } from '@throughline/contract';
import type { CheckedTrace } from '../decode/read-trace.ts';

/**
 * Limits the source code per body. Redacting source code takes much time for each byte, so code beyond the limit is left out. The service
 * sends the omitted code again within an hour.
 */
export class SourceBudget {
  #left: number = SOURCE_LIMITS.bodyCharacters;

  /**
   * Returns the trace with only those functions whose source code fits into the limit, or the same object if the trace contains no
   * functions.
   */
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
