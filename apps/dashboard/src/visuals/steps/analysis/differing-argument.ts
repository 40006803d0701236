import type { CapturedValue, Step } from '@throughline/contract';
import {
  classifyValue,
  findValueAt,
  findValueDifferences,
  formatPath,
  summariseInLine,
} from '@throughline/contract/captured';
import type { BundleEntry } from './bundle-repeats.ts';
import type { StepNode } from './step-forest.ts';

/** The comparison of the arguments of two calls ends at the first difference, or after `values` pairs of values. */
const LIMITS = { differences: 1, values: 1000 };

type Path = readonly (string | number)[];

/** Describes the argument that distinguishes a call from the other calls of its bundle; undefined if none is known. */
export type DescribeCall = (bundle: BundleEntry, call: StepNode) => string | undefined;

/**
 * Creates a {@link DescribeCall} that compares the calls of each bundle once. `values` contains the steps with their values, by `stepId`.
 */
export function createCallDescriber(values: ReadonlyMap<string, Step>): DescribeCall {
  const paths = new Map<BundleEntry, Path | undefined>();
  const readArguments = ({ step: { stepId } }: StepNode): CapturedValue => {
    const step = values.get(stepId);
    return step?.variables?.parameters ?? step?.inputs ?? {};
  };
  return (bundle, call) => {
    if (!paths.has(bundle)) paths.set(bundle, findDifferingPath(bundle.nodes.map(readArguments)));
    const path = paths.get(bundle);
    const value = path && findValueAt(readArguments(call), path);
    if (path === undefined || value === undefined) return undefined;
    return `${formatPath(path)}: ${summariseInLine(value)}`;
  };
}

/**
 * Returns the path to the first value that differs between the calls: the argument's name, then the path within the argument. A missing
 * argument counts as different.
 */
export function findDifferingPath(calls: readonly CapturedValue[]): Path | undefined {
  const [first, ...others] = calls.map(listArguments);
  if (first === undefined) return undefined;
  for (const [name, value] of first) {
    for (const other of others) {
      const same = other.get(name);
      if (same === undefined) return [name];
      const [difference] = findValueDifferences(value, same, LIMITS).found;
      if (difference !== undefined) return [name, ...difference.path];
    }
  }
  return undefined;
}

function listArguments(values: CapturedValue): ReadonlyMap<string | number, CapturedValue> {
  const shape = classifyValue(values);
  if (shape.kind === 'object') return new Map(Object.entries(shape.properties));
  return new Map(shape.kind === 'list' ? shape.items.entries() : []);
}
