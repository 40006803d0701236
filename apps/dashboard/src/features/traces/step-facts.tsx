import type { Step } from '@throughline/contract';
import type { ReactNode } from 'react';
import { CopyButton } from '../../ui/copy-button.tsx';
import { quoteless } from '../../visuals/values/quoteless.ts';
import classes from './step-details.module.css';

/** A name and what it is, in a step's or bundle's head. */
export function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div className={classes.fact}>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/** Where a step's code stands. Nothing where that is not known. */
export function Place({ step }: { readonly step: Step }) {
  if (step.filePath === null) return null;
  const place = step.lineNumber === null ? step.filePath : `${step.filePath}:${step.lineNumber}`;
  return (
    <Fact name="File">
      <span className="mono">{quoteless(place)}</span>
      <CopyButton value={place} label="Copy file and line" />
    </Fact>
  );
}
