import type { CapturedValue, ComparisonStatement, Step } from '@throughline/contract';
import { identifyCall } from '../../align-steps.ts';
import { flatten } from '../../call-history.ts';
import { readResult } from '../../compare-values.ts';
import { isEqual, looksUnique } from '../../judge-difference.ts';
import { nameStep, writeSide } from '../../texts/write-values.ts';
import { isNamedCall } from './named-call.ts';

/**
 * Maximum product of the numbers of steps of both requests. With 50 steps each, the search takes 0.1 s; the time grows faster than the
 * product.
 */
const MAX_PAIRS = 2500;

type Simple = string | number | boolean;
type Values = ReadonlyMap<string, ReadonlySet<Simple>>;

/** A value that another request computed with other inputs. */
interface Cached {
  readonly step: Step;
  readonly key: Simple;
  readonly computing: Step;
  readonly name: string;
  readonly here: Simple;
  readonly there: Simple;
}

/**
 * Finds a cached value that belongs to other inputs. Another request called a function with the same key and got the same value, but had to
 * compute the value, with an input (such as `country`) that has another value in this request. This request did not compute the value
 * again. The key of the cache probably lacks this input.
 */
export function findCachedForOther(
  steps: readonly Step[],
  goods: readonly (readonly Step[])[],
): ComparisonStatement | undefined {
  const called = new Set(steps.map(identifyCall));
  for (const good of goods) {
    const computing = good.filter((step) => isNamedCall(step) && !called.has(identifyCall(step)));
    if (computing.length === 0 || steps.length * good.length > MAX_PAIRS) continue;
    for (const step of steps) {
      const cached = findCached(step, computing, { steps, good });
      if (cached !== undefined) return write(cached, steps);
    }
  }
  return undefined;
}

function findCached(
  step: Step,
  computing: readonly Step[],
  { steps, good }: { readonly steps: readonly Step[]; readonly good: readonly Step[] },
): Cached | undefined {
  const [key] = listKeys(step);
  const result = readResult(step);
  if (!isNamedCall(step) || key === undefined || typeof result !== 'object' || result === null)
    return undefined;
  const filled = good.find(
    (other) =>
      identifyCall(other) === identifyCall(step) &&
      other.endTime <= step.startTime &&
      isEqual(listKeys(other), listKeys(step)) &&
      isEqual(readResult(other), result),
  );
  if (filled === undefined) return undefined;
  const [own, others] = [listNamed(steps), listNamed(good)];
  for (const call of computing) {
    if (!isBelow(call, filled, good)) continue;
    for (const { path, value } of flatten(call.inputs)) {
      const [name] = path;
      if (path.length !== 1 || typeof name !== 'string' || !isSimple(value) || looksUnique(value)) continue;
      // Compares only values of the same type: a text and the value parsed from it often have the same name.
      const isAlike = (other: Simple) => typeof other === typeof value;
      const [here, ...more] = [...(own.get(name) ?? [])].filter(isAlike);
      const isOnly = [...(others.get(name) ?? [])].filter(isAlike).length === 1;
      if (here !== undefined && more.length === 0 && isOnly && here !== value)
        return { step, key, computing: call, name, here, there: value };
    }
  }
  return undefined;
}

function write(
  { step, key, computing, name, here, there }: Cached,
  steps: readonly Step[],
): ComparisonStatement {
  const maker = steps.findLast(
    (other) => other !== step && readResult(other) === key && other.endTime <= step.startTime,
  );
  const made = maker === undefined ? '' : `\`${nameStep(maker)}\` returned ${writeSide(key)}, then `;
  return {
    text: `${made}\`${nameStep(step)}\` returned a value that \`${nameStep(computing)}\` had computed in another request, for \`${name}\` ${writeSide(there)} instead of ${writeSide(here)}`,
    step: (maker ?? step).stepId,
    other: null,
  };
}

/** Lists the texts, numbers and booleans that a call received as arguments. */
function listKeys({ inputs }: Step): Simple[] {
  return flatten(inputs).flatMap(({ path, value }) => (path.length === 1 && isSimple(value) ? [value] : []));
}

/** Lists the distinct values of each argument and member of a request, by name. */
function listNamed(steps: readonly Step[]): Values {
  const named = new Map<string, Set<Simple>>();
  for (const step of steps.filter(isNamedCall)) {
    for (const { path, value } of flatten(step.inputs)) {
      const name = path.at(-1);
      if (typeof name !== 'string' || !isSimple(value)) continue;
      const known = named.get(name) ?? new Set();
      named.set(name, known.add(value));
    }
  }
  return named;
}

function isBelow(step: Step, above: Step, steps: readonly Step[]): boolean {
  const byId = new Map(steps.map((each) => [each.stepId, each]));
  const seen = new Set<Step>();
  for (
    let at = byId.get(step.parentStepId ?? '');
    at !== undefined && !seen.has(at);
    at = byId.get(at.parentStepId ?? '')
  ) {
    if (at === above) return true;
    seen.add(at);
  }
  return false;
}

function isSimple(value: CapturedValue): value is Simple {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}
