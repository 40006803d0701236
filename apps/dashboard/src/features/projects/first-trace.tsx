import { Suspense } from 'react';
import { lazyPart } from '../../shell/load-page.ts';
import { RowsSkeleton } from '../../ui/skeletons.tsx';
import type { FirstTracePanelProps } from './first-trace-panel.tsx';

const FirstTracePanel = lazyPart(() => import('./first-trace-panel.tsx'), 'FirstTracePanel');

/**
 * How to trace an app of one's own, in two lines; notices by itself when the first trace arrives. Loaded when it is
 * shown: whoever has traces never sees it.
 */
export function WaitingForFirstTrace(props: FirstTracePanelProps) {
  return (
    <Suspense fallback={<RowsSkeleton what="setup" rows={5} />}>
      <FirstTracePanel {...props} />
    </Suspense>
  );
}
