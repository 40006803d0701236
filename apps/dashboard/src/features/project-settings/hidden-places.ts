import { type CapturedValue, isTagged, type Redaction, type Trace } from '@throughline/contract';
import { Redactor } from '@throughline/contract/redaction';

/** A field of a trace in which a rule hides a value. */
export interface HiddenPlace {
  /** The step that captured the value; undefined for fields of the request itself. */
  readonly step: { readonly id: string; readonly name: string } | undefined;
  readonly path: readonly string[];
  /** `value` if the whole value is hidden, `part` if only a part of a string is hidden. */
  readonly extent: 'value' | 'part';
}

/**
 * Finds the fields of a stored trace that new rules would hide and that are not hidden yet. Runs the server's redaction code over the parts
 * of the trace that the server redacts. Returns at most `limit` fields, and the total number.
 */
export function findHiddenPlaces(
  trace: Trace,
  rules: Redaction,
  limit: number,
): { readonly places: readonly HiddenPlace[]; readonly total: number } {
  const redactor = new Redactor(rules);
  const places: HiddenPlace[] = [];
  let total = 0;
  const note = (step: HiddenPlace['step'], path: readonly string[], extent: HiddenPlace['extent']) => {
    total += 1;
    if (places.length < limit) places.push({ step, path, extent });
  };
  const compare = (
    step: HiddenPlace['step'],
    path: readonly string[],
    was: CapturedValue,
    shown: CapturedValue,
  ): void => {
    if (was === shown) return;
    if (typeof was === 'string') note(step, path, typeof shown === 'string' ? 'part' : 'value');
    else {
      const after = isRedacted(shown) ? undefined : listMembers(shown);
      if (after === undefined) note(step, path, 'value');
      else {
        for (const [key, member] of listMembers(was) ?? []) {
          compare(step, [...path, key], member, after.get(key) ?? null);
        }
      }
    }
  };
  const text = (path: readonly string[], value: string | null) => {
    if (value !== null) compare(undefined, path, value, redactor.text(value));
  };
  const value = (step: HiddenPlace['step'], path: readonly string[], given: CapturedValue | undefined) => {
    if (given !== undefined) compare(step, path, given, redactor.value(given, path));
  };
  const fields = (
    step: HiddenPlace['step'],
    path: readonly string[],
    given: { readonly [name: string]: CapturedValue },
  ) => compare(step, path, given, redactor.fields(given, path));

  const { request, response } = trace;
  text(['request', 'path'], request.path);
  text(['request', 'url'], request.url);
  text(['request', 'userAgent'], request.userAgent);
  fields(undefined, ['request', 'headers'], request.headers);
  value(undefined, ['request', 'query'], request.query);
  value(undefined, ['request', 'body'], request.body);
  fields(undefined, ['response', 'headers'], response.headers);
  value(undefined, ['response', 'body'], response.body);
  text(['error', 'errorMessage'], trace.error.errorMessage);
  if (trace.user !== null) fields(undefined, ['user'], trace.user);
  fields(undefined, ['attributes'], trace.attributes);
  for (const { stepId, stepName, inputs, outputs, variables, error, metadata } of trace.flow) {
    const step = { id: stepId, name: stepName };
    fields(step, [], selectDefined({ inputs, outputs, variables: variables && selectDefined(variables) }));
    if (error !== null) {
      const { message, name, stack, code } = error;
      fields(step, ['error'], selectDefined({ message, name, stack, code }));
    }
    value(step, ['metadata'], metadata);
  }
  return { places, total };
}

function selectDefined(values: { readonly [name: string]: CapturedValue | undefined }): {
  readonly [name: string]: CapturedValue;
} {
  const kept: { [name: string]: CapturedValue } = {};
  for (const [name, value] of Object.entries(values)) if (value !== undefined) kept[name] = value;
  return kept;
}

function isRedacted(value: CapturedValue): boolean {
  return isTagged(value) && value.$type === 'redacted';
}

function listMembers(value: CapturedValue): ReadonlyMap<string, CapturedValue> | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const members: { readonly [key: string]: CapturedValue } | readonly CapturedValue[] = value;
  return new Map(Object.entries<CapturedValue>(members));
}
