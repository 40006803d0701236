import type { ReactNode } from 'react';
import classes from './trace-page.module.css';

interface TraceSectionProps {
  /** True if the flow graph is shown instead of the details. */
  readonly flow: boolean;
  readonly children: ReactNode;
}

/** The part of a page that contains one trace: its header and its views. */
export function TraceSection({ flow, children }: TraceSectionProps) {
  return (
    <div className={classes.room}>
      <section aria-label={flow ? 'Flow graph' : 'Trace details'} className={classes.page}>
        {children}
      </section>
    </div>
  );
}
