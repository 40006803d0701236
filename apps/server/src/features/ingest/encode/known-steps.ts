import type { IngestStep } from '@throughline/contract';
import { type Redactor, redactStepFields } from '@throughline/contract/redaction';
import { STEP_CODE, type StepCode } from '../../../platform/trace-store/index.ts';
import { classifyStep } from '../../rollups/index.ts';

/** Data that all calls of a function share. It contains no secrets. */
export interface KnownStep extends StepCode {
  /** The encoded columns {@link STEP_CODE}. */
  readonly code: string;
  /** The result of {@link classifyStep} for a call without an error and metadata. */
  readonly kind: string;
}

/** Maximum number of cached functions; a program has a few hundred functions. */
const MAX_KNOWN = 5000;
/**
 * Maximum length of a step's names together. Steps with longer names are not cached, because such names are the sender's data rather than
 * names in code.
 */
const MAX_LENGTH = 200;

/** Caches the encoded columns of functions, so that names that many traces share are encoded and checked for secrets only once. */
export class KnownSteps {
  readonly #redactor: Redactor;
  readonly #known = new Map<string, KnownStep>();

  private constructor(redactor: Redactor) {
    this.#redactor = redactor;
  }

  /** Returns the cache of a redactor. */
  static of(redactor: Redactor): KnownSteps {
    const known = caches.get(redactor) ?? new KnownSteps(redactor);
    caches.set(redactor, known);
    return known;
  }

  /**
   * Returns the data that all calls of the step's function share. Returns undefined if redaction can change the step, or if its names are
   * too long to cache.
   */
  find(step: IngestStep): KnownStep | undefined {
    if (this.#redactor.hidesSecrets || this.#redactor.hasPaths) return undefined;
    const key = `${step.lineNumber} ${step.stepName}`;
    const known = this.#known.get(key);
    return known !== undefined && isSameFunction(known, step) ? known : this.#learn(key, step);
  }

  #learn(key: string, step: IngestStep): KnownStep | undefined {
    const { stepName: name, stepType: type, functionName, filePath, lineNumber } = step;
    const fields = { stepName: name, functionName: functionName ?? '', filePath: filePath ?? '' };
    if (name.length + fields.functionName.length + fields.filePath.length > MAX_LENGTH) return undefined;
    if (redactStepFields(fields, this.#redactor) !== fields) return undefined;
    const code: StepCode = {
      name,
      type,
      functionName: fields.functionName,
      filePath: fields.filePath,
      lineNumber,
    };
    const known: KnownStep = {
      ...code,
      code: STEP_CODE.write(code),
      kind: classifyStep({ type, name, metadata: undefined, failed: false }),
    };
    if (this.#known.size >= MAX_KNOWN) this.#known.clear();
    this.#known.set(key, known);
    return known;
  }
}

const caches = new WeakMap<Redactor, KnownSteps>();

function isSameFunction(
  known: KnownStep,
  { stepName, stepType, functionName, filePath, lineNumber }: IngestStep,
): boolean {
  return (
    known.name === stepName &&
    known.type === stepType &&
    known.functionName === (functionName ?? '') &&
    known.filePath === (filePath ?? '') &&
    (known.lineNumber ?? null) === (lineNumber ?? null)
  );
}
