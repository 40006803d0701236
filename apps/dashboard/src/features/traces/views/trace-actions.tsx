import { ShareButton } from '../../share-links/index.ts';
import { CompareButton } from '../comparison/compare-button.tsx';
import { CopyMenu } from '../copy/copy-menu.tsx';
import type { LoadedTrace } from '../data/queries.ts';
import { ViewToggle } from './view-toggle.tsx';

interface TraceActionsProps {
  /** Undefined until the trace is loaded. */
  readonly loaded: LoadedTrace | undefined;
  /** True if the flow graph is shown instead of the details. */
  readonly flow: boolean;
}

/** The actions for a trace. Buttons keep their place while the trace loads. */
export function TraceActions({ loaded, flow }: TraceActionsProps) {
  return (
    <>
      {loaded !== undefined && <CompareButton loaded={loaded} />}
      <ViewToggle flow={flow} />
      <CopyMenu trace={loaded?.trace} />
      <ShareButton trace={loaded?.trace} />
    </>
  );
}
