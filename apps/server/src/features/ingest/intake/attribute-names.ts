import { INGEST_LIMITS } from '@throughline/contract';
import type { CheckedTrace } from '../decode/read-trace.ts';
import { buildLimitError } from '../receive/over-limit.ts';

/**
 * Limits the number of distinct attribute names per body. Each new name is checked for secrets and hashed for the search: a body of 13 MB
 * with 891,000 names took 11 seconds of CPU.
 */
export class AttributeNames {
  readonly #names = new Set<string>();

  /**
   * Adds the attribute names of a trace and of its steps.
   * @throws AppError `payload_too_large`
   */
  add({ head, steps }: CheckedTrace): void {
    this.#addMembers(head.attributes);
    for (const { step } of steps) this.#addMembers(step.metadata);
  }

  #addMembers(attributes: unknown): void {
    if (typeof attributes !== 'object' || attributes === null || Array.isArray(attributes)) return;
    for (const name of Object.keys(attributes)) this.#names.add(name);
    if (this.#names.size > INGEST_LIMITS.attributeNames.max) throw buildLimitError('attributeNames');
  }
}
