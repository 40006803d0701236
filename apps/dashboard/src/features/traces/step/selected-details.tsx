import { useState } from 'react';
import type { LoadedTrace } from '../data/queries.ts';
import type { Selection } from '../data/use-selection.ts';
import { FoldDetails } from './fold-details.tsx';
import { StepDetails } from './step-details.tsx';

/** The selected step or bundle, beside the tree or the graph. */
export function SelectedDetails({
  loaded,
  selection,
  isBesideSource = false,
}: {
  readonly loaded: LoadedTrace;
  readonly selection: Selection;
  readonly isBesideSource?: boolean;
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
      onSelect={selection.select}
      isBesideSource={isBesideSource}
      sought={sought}
      onSeek={setSought}
    />
  );
}
