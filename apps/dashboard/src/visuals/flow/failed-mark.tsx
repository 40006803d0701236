import { IconAlertCircleFilled } from '@tabler/icons-react';
import classes from './flow-graph.module.css';

/** Says that this very step failed. */
export function FailedMark() {
  return (
    <span className={classes.mark}>
      <IconAlertCircleFilled size={13} aria-hidden />
      failed
    </span>
  );
}
