import { useState } from 'react';
import type { LoadedTrace } from '../data/queries.ts';
import type { Selection } from '../data/use-selection.ts';
import classes from '../value-origin/value-origin.module.css';
import { ValueOriginPanel } from '../value-origin/value-origin-panel.tsx';
import { BundleDetails } from './bundle-details.tsx';
import { StepDetails } from './step-details.tsx';

/** The details of the selected step or bundle, next to the tree or graph. */
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
  return (
    <div className={classes.column} tabIndex={-1}>
      <ValueOriginPanel selection={selection} />
      {selected.kind === 'bundle' ? (
        <BundleDetails loaded={loaded} bundle={selected} onSelect={selection.select} />
      ) : (
        <StepDetails
          key={selected.node.key}
          loaded={loaded}
          node={selected.node}
          onSelect={selection.select}
          isBesideSource={isBesideSource}
          sought={sought}
          onSeek={setSought}
        />
      )}
    </div>
  );
}
