import { formatDuration, type Step } from '@throughline/contract';
import { escapeControlCharacters } from '@throughline/contract/captured';
import type { StepNode } from '../steps/analysis/step-forest.ts';
import { THROWN_WORDS } from '../steps/step-outcome.ts';
import { findThrownLine } from '../steps/thrown-line.ts';
import { chooseShownCall, type FileSteps, type LineSteps } from './file-lines.ts';
import { listLineValues } from './line-values.ts';

interface FileLine {
  readonly file: Pick<FileSteps, 'path'>;
  readonly line: LineSteps;
}

/** Describes the call that a line shows, for assistive technology: position, function, duration, outcome and values. */
export function describeLine(
  { file, line }: FileLine,
  selected: string | undefined,
  getValues: (node: StepNode) => Step,
): string {
  const shown = chooseShownCall(line, selected);
  if (shown === undefined) return '';
  const { step } = shown;
  const place = `${file.path === null ? 'unknown place' : escapeControlCharacters(file.path)}${line.line === null ? '' : ` line ${line.line}`}`;
  const calls =
    line.nodes.length > 1 ? `, call ${line.nodes.indexOf(shown) + 1} of ${line.nodes.length}` : '';
  const number = `, step ${shown.number}`;
  const values = listLineValues(getValues(shown)).map(({ name, text }) => `${name} ${text}`);
  const thrown = describeThrown(shown);
  return [
    `${place}: ${escapeControlCharacters(step.functionName ?? step.stepName)}${number}${calls}, ${formatDuration(step.duration)}${thrown === '' ? '' : `, ${thrown}`}`,
    ...values,
  ].join('; ');
}

/** Describes how and where a call threw; empty for a call that did not throw. */
export function describeThrown({ step, outcome }: StepNode): string {
  if (outcome === 'ended') return '';
  const line = findThrownLine(step);
  const isElsewhere = line !== undefined && line !== step.lineNumber;
  return `${THROWN_WORDS[outcome]}${isElsewhere ? `, threw at line ${line}` : ''}`;
}
