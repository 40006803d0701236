import { IconArrowGuide } from '@tabler/icons-react';
import classes from './flow-graph.module.css';

/** Marks a step that has the followed value. */
export function FollowedMark() {
  return (
    <span className={classes.followed}>
      <IconArrowGuide size={13} aria-hidden />
      <span className="visually-hidden">has the value that you follow</span>
    </span>
  );
}
