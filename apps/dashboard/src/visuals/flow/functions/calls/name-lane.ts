import type { Step } from '@throughline/contract';
import { findTarget } from '../../../sequence/call-target.ts';
import type { Grouping } from './drawn-calls.ts';

/** Folders before a file that say where a program is installed, not which part of it the file is. */
const SHOWN_PARTS = 3;

/** The lane of a function: its file or its service; what it calls outside of the process has a lane of its own. */
export function nameLane(step: Step, grouping: Exclude<Grouping, 'none'>, service: string): string {
  const target = findTarget(step);
  if (target !== undefined) return target.name;
  if (grouping === 'service') return service || 'This service';
  if (step.filePath === null) return 'Unknown file';
  const parts = step.filePath.split(/[\\/]/);
  return parts.slice(-SHOWN_PARTS).join('/');
}
