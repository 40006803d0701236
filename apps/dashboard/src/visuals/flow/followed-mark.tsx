import { IconArrowGuide } from '@tabler/icons-react';
import classes from './flow-graph.module.css';

/** Marks a step that has the value that the user follows through the request. */
export function FollowedMark() {
  return (
    <span className={classes.followed}>
      <IconArrowGuide size={13} aria-hidden />
      <span className="visually-hidden">has the value that you follow</span>
    </span>
  );
}
