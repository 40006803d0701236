import type { CapturedValue } from '@throughline/contract/values';
import {
  type AttributeHashes,
  type HashBudget,
  STEP_CODE,
  type StepCode,
  writeStep,
} from '../../../platform/trace-store/index.ts';
import { classifyStep } from '../../rollups/index.ts';
import { refuseLargeValue } from './refuse-large-value.ts';
import { hashAttributes } from './trace-attributes.ts';

type Fields = { readonly [name: string]: CapturedValue };

/** A step as it is stored, whether it was sent natively or as a span. All values are redacted. */
export interface RedactedStep extends StepCode {
  readonly error: object | undefined;
  readonly metadata: CapturedValue | undefined;
  /**
   * The inputs, outputs and variables. A string is JSON and is stored unchanged. For spans, the inputs can contain a database query, which
   * distinguishes spans of the same name.
   */
  readonly captured: Fields | string | undefined;
}

export interface EncodedStep {
  /** The columns that `steps` and `spans` have in common. */
  readonly text: string;
  /** The step's kind for filters. */
  readonly kind: string;
  /** The hashes of the metadata for search. */
  readonly hashes: AttributeHashes;
}

/** The paths of a step's values in the sent trace, for error messages. */
export type StepPaths = Readonly<Record<'error' | 'metadata' | 'captured', readonly PropertyKey[]>>;

/**
 * Encodes the columns that steps and spans have in common, and computes the step's kind and the hashes of its metadata. If `budget` is
 * spent, the metadata is not hashed.
 * @throws TraceFault
 */
export function encodeStep(step: RedactedStep, paths: StepPaths, budget?: HashBudget): EncodedStep {
  const { name, type, error, metadata, captured } = step;
  const isJson = typeof captured === 'string';
  const values = {
    error: encodeValue(error, paths.error),
    metadata: encodeValue(metadata, paths.metadata),
    captured: isJson ? captured : encodeValue(captured, paths.captured),
  };
  const stored = {
    type,
    name,
    metadata,
    failed: error !== undefined,
    captured: isJson ? undefined : captured,
  };
  return {
    text: writeStep(STEP_CODE.write(step), values),
    kind: classifyStep(stored),
    hashes: hashAttributes(metadata, budget),
  };
}

function encodeValue(value: CapturedValue | object | undefined, path: readonly PropertyKey[]): string {
  if (value === undefined) return '';
  const json = JSON.stringify(value);
  refuseLargeValue(json, path);
  return json;
}
