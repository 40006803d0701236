import { IconArrowGuide } from '@tabler/icons-react';
import classes from './flow-graph.module.css';
import { formatNumbers } from './functions/value-path/value-path-words.ts';

interface FollowedMarkProps {
  /** The numbers of the step's or function's places in the path of the followed value. Empty if the mark shows no numbers. */
  readonly numbers?: readonly number[];
}

/** Marks a step or function that has the value that the user follows through the request. */
export function FollowedMark({ numbers = [] }: FollowedMarkProps) {
  return (
    <span className={classes.followed}>
      <IconArrowGuide size={13} aria-hidden />
      <span className="visually-hidden">{describeFollowed(numbers)}</span>
      {numbers.length > 0 && <span aria-hidden>{formatNumbers(numbers)}</span>}
    </span>
  );
}

const FOLLOWED = 'has the value that you follow';

/** Describes the mark for assistive technology. */
export function describeFollowed(numbers: readonly number[]): string {
  const places = numbers.length === 1 ? 'place' : 'places';
  return numbers.length === 0 ? FOLLOWED : `${FOLLOWED}, ${places} ${formatNumbers(numbers)}`;
}
