import { useState } from 'react';
import { FoldDetails } from './fold-details.tsx';
import type { LoadedTrace } from './queries.ts';
import { StepDetails } from './step-details.tsx';
import type { Selection } from './use-selection.ts';

/** The selected step or bundle, beside the tree or the graph. */
export function SelectedDetails({
  loaded,
  selection,
}: {
  readonly loaded: LoadedTrace;
  readonly selection: Selection;
}) {
  const { selected } = selection;
  const [sought, setSought] = useState('');
  if (selected === undefined) return null;
  if (selected.kind === 'fold') {
    const { duration } = loaded.trace.timing;
    return <FoldDetails fold={selected} durationMs={duration} onSelect={selection.select} />;
  }
  return (
    <StepDetails
      key={selected.node.key}
      loaded={loaded}
      node={selected.node}
      sought={sought}
      onSeek={setSought}
    />
  );
}
