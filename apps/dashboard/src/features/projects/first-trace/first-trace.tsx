import { Suspense } from 'react';
import { lazyPart } from '../../../shell/load-page.ts';
import { RowsSkeleton } from '../../../ui/feedback/skeletons.tsx';
import type { FirstTracePanelProps } from './first-trace-panel.tsx';

const FirstTracePanel = lazyPart(() => import('./first-trace-panel.tsx'), 'FirstTracePanel');

/** Shows how to trace an app, and reports the arrival of the first trace. The panel is loaded on demand: users with traces never see it. */
export function WaitingForFirstTrace(props: FirstTracePanelProps) {
  return (
    <Suspense fallback={<RowsSkeleton what="setup" rows={5} />}>
      <FirstTracePanel {...props} />
    </Suspense>
  );
}
