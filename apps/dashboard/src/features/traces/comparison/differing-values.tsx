import type { ComparedValue, Step, ValuePath } from '@throughline/contract';
import { escapeControlCharacters } from '@throughline/contract/captured';
import { FollowAction } from '../../../visuals/values/follow-action.tsx';
import classes from './comparison.module.css';
import { type FollowValue, findPlace } from './use-follow-compared.ts';

interface ComparedSide {
  /** Undefined while the step is loading, and if the request did not make the call. */
  readonly step: Step | undefined;
  readonly follow: FollowValue | undefined;
}

interface DifferingValuesProps {
  readonly title: string;
  readonly values: readonly ComparedValue[];
  readonly lit: boolean;
  readonly sides: { readonly here: ComparedSide; readonly other: ComparedSide };
}

/** A table of values that differ between the two requests. */
export function DifferingValues({ title, values, lit, sides }: DifferingValuesProps) {
  return (
    <table className={classes.table} data-lit={lit}>
      <caption className="visually-hidden">{title}</caption>
      <thead>
        <tr>
          <th scope="col">Value</th>
          <th scope="col">This request</th>
          <th scope="col">Other request</th>
        </tr>
      </thead>
      <tbody>
        {values.map(({ part, path, keys, value, otherValue }) => {
          const name = escapeControlCharacters(path === '' ? (PART_NAMES[part] ?? part) : path);
          return (
            <tr key={`${part} ${path}`}>
              <th scope="row">
                <span className="mono">{name}</span>
                {path !== '' && <span className={classes.part}>{PART_NAMES[part] ?? part}</span>}
              </th>
              <DifferingValue value={value} name={name} part={part} path={keys} side={sides.here} />
              <DifferingValue
                value={otherValue}
                name={`${name} of the other request`}
                part={part}
                path={keys}
                side={sides.other}
              />
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

interface DifferingValueProps {
  /** Null if the request has no such value. */
  readonly value: string | null;
  readonly name: string;
  readonly part: string;
  readonly path: ValuePath;
  readonly side: ComparedSide;
}

function DifferingValue({ value, name, part, path, side: { step, follow } }: DifferingValueProps) {
  if (value === null) return <td>–</td>;
  const place = step && findPlace(part, path, step);
  return (
    <td>
      <span className="mono">{value}</span>{' '}
      {follow !== undefined && place !== undefined && (
        <FollowAction name={name} isActive onFollow={() => follow(place, path)} />
      )}
    </td>
  );
}

const PART_NAMES: Readonly<Record<string, string>> = {
  inputs: 'input',
  parameters: 'parameter at the end of the call',
  localVariables: 'local variable',
  returnValue: 'return value',
  error: 'error',
};
