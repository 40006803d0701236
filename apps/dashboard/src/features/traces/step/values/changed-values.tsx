import { IconArrowRight } from '@tabler/icons-react';
import type { CapturedValue, ValuePlace } from '@throughline/contract';
import {
  escapeControlCharacters,
  formatPath,
  summariseInLine,
  type ValueDifference,
} from '@throughline/contract/captured';
import { FollowAction } from '../../../../visuals/values/follow-action.tsx';
import { useValueOrigin } from '../../value-origin/value-origin-context.ts';
import classes from '../step-details.module.css';

interface ChangedValuesProps {
  readonly stepId: string;
  readonly changed: readonly ValueDifference[];
}

/** The parts of a step's parameters that the call changed, with the values before and after the call. */
export function ChangedValues({ stepId, changed }: ChangedValuesProps) {
  const origin = useValueOrigin();
  if (changed.length === 0) return null;
  return (
    <section className={classes.part}>
      <h3>Changed during the call</h3>
      <ul className={classes.changes} aria-label="Changed during the call">
        {changed.map(({ path, left, right }) => {
          const name = escapeControlCharacters(formatPath(path));
          const buildArrow = (value: CapturedValue | undefined, place: ValuePlace, label: string) =>
            origin !== undefined &&
            value !== undefined && (
              <FollowAction name={label} isActive onFollow={() => origin.ask({ stepId, place, path })} />
            );
          return (
            <li key={name} className="mono">
              {name}: <del>{writeValue(left)}</del> {buildArrow(left, 'inputs', `${name} before the call`)}{' '}
              <IconArrowRight size={12} aria-hidden className={classes.arrow} />{' '}
              <span className="visually-hidden">became </span>
              <ins>{writeValue(right)}</ins> {buildArrow(right, 'parameters', `${name} after the call`)}
            </li>
          );
        })}
      </ul>
    </section>
  );
}

function writeValue(value: CapturedValue | undefined): string {
  if (value === undefined) return 'nothing';
  return escapeControlCharacters(summariseInLine(value));
}
