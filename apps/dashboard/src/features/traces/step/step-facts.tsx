import { formatCount, formatDuration, type Repeat, type Step } from '@throughline/contract';
import type { ReactNode } from 'react';
import { CopyButton } from '../../../ui/copying/copy-button.tsx';
import type { ThrownAs } from '../../../visuals/steps/step-outcome.ts';
import { findLine } from '../../../visuals/steps/thrown-line.ts';
import { CodePlace, EditorButton } from '../editor/code-place.tsx';
import classes from './step-details.module.css';

/** A name and value in the header of a step or bundle. */
export function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div className={classes.fact}>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/**
 * Shows the file and the first line of a step's function. If another line of the function threw, shows that line, too. Renders nothing if
 * the file is unknown.
 */
export function Place({ step }: { readonly step: Step }) {
  if (step.filePath === null) return null;
  const line = findLine(step);
  const place = line === null ? step.filePath : `${step.filePath}:${line}`;
  return (
    <>
      <Fact name={line === step.lineNumber ? 'File' : 'Threw at'}>
        <CodePlace file={step.filePath} line={line} />
        <CopyButton value={place} label="Copy file and line" />
        <EditorButton />
      </Fact>
      {line !== step.lineNumber && <Fact name="Begins at">line {step.lineNumber ?? '–'}</Fact>}
    </>
  );
}

const THROWN_TITLES: Readonly<Record<ThrownAs, string>> = { failed: 'Failed', handled: 'Errors handled' };

/**
 * Shows the number of the calls that one step represents, the shortest, average and longest duration, and the number of calls that threw.
 */
export function RepeatFacts({ repeat, thrownAs }: { readonly repeat: Repeat; readonly thrownAs: ThrownAs }) {
  const facts = [
    ['Calls', formatCount(repeat.count)],
    ['Fastest', formatDuration(repeat.minMs)],
    ['Average', formatDuration(repeat.sumMs / repeat.count)],
    ['Slowest', formatDuration(repeat.maxMs)],
    ...(repeat.errors === undefined ? [] : [[THROWN_TITLES[thrownAs], formatCount(repeat.errors)] as const]),
  ] as const;
  return facts.map(([name, text]) => (
    <Fact key={name} name={name}>
      <span className="figures">{text}</span>
    </Fact>
  ));
}
