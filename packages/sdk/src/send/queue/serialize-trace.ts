import { withoutValues } from '../encode/all-values.ts';
import type { FinishedTrace } from '../encode/wire.ts';
import { dropValues, holdsValues } from './drop-values.ts';

/** A trace as JSON. The bytes are valid until the next trace is serialized. */
export interface SerializedTrace {
  readonly json: Uint8Array;
  /** True if the trace contains values that can be dropped. */
  readonly holdsValues: boolean;
}

export interface SerializeOptions {
  readonly write: (trace: FinishedTrace) => Uint8Array;
  /** True if the queue is so full that values are dropped. */
  readonly isCrowded: boolean;
  readonly report: (line: string) => void;
}

/**
 * Serializes a trace. If this fails, for example because the host application has patched a built-in, serializes the trace without its
 * values, and without texts that can repeat them. Returns undefined if this fails, too.
 */
export function serializeTrace(
  trace: FinishedTrace,
  { write, isCrowded, report }: SerializeOptions,
): SerializedTrace | undefined {
  const hasValues = holdsValues(trace);
  try {
    return hasValues && isCrowded
      ? { json: write(dropValues(trace, 'backlog')), holdsValues: false }
      : { json: write(trace), holdsValues: hasValues };
  } catch {
    // The error is not reported, because its message can contain values that are not redacted yet.
  }
  try {
    const reduced = dropValues(trace, 'fault');
    collectReadableSecrets(trace, reduced, write);
    // Values that could not be read can contain unknown secrets, which error messages, the user and attributes can repeat. So these texts
    // are left out, too.
    const json = write(withoutValues(reduced));
    report('the values of a trace were left out, because they could not be serialized');
    return { json, holdsValues: false };
  } catch {
    report('a trace was lost, because it could not be serialized');
    return undefined;
  }
}

/**
 * Collects the secrets of each step that can be read, and adds them to the trace's secrets. `write` collects secrets while it writes
 * values.
 */
function collectReadableSecrets(
  trace: FinishedTrace,
  reduced: FinishedTrace,
  write: SerializeOptions['write'],
): void {
  for (const step of trace.flow) {
    const secrets = new Set<string>();
    try {
      write({ ...reduced, request: { method: '', path: '' }, attributes: {}, flow: [step], secrets });
    } catch {
      // This step, or the head, cannot be read.
    }
    for (const secret of secrets) trace.secrets.add(secret);
  }
}
