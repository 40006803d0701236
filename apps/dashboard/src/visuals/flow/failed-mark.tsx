import { IconAlertCircleFilled } from '@tabler/icons-react';
import classes from './flow-graph.module.css';

/** Marks a step that itself failed. */
export function FailedMark() {
  return (
    <span className={classes.mark}>
      <IconAlertCircleFilled size={13} aria-hidden />
      failed
    </span>
  );
}
