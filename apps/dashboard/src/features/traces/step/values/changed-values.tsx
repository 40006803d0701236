import { IconArrowRight } from '@tabler/icons-react';
import type { CapturedValue } from '@throughline/contract';
import {
  escapeControlCharacters,
  formatPath,
  summariseInLine,
  type ValueDifference,
} from '@throughline/contract/captured';
import classes from '../step-details.module.css';

/** The parts of a step's parameters that the call changed, with the values before and after the call. */
export function ChangedValues({ changed }: { readonly changed: readonly ValueDifference[] }) {
  if (changed.length === 0) return null;
  return (
    <section className={classes.part}>
      <h3>Changed during the call</h3>
      <ul className={classes.changes} aria-label="Changed during the call">
        {changed.map(({ path, left, right }) => {
          const place = escapeControlCharacters(formatPath(path));
          return (
            <li key={place} className="mono">
              {place}: <del>{writeValue(left)}</del>{' '}
              <IconArrowRight size={12} aria-hidden className={classes.arrow} />{' '}
              <span className="visually-hidden">became </span>
              <ins>{writeValue(right)}</ins>
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
