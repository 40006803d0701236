import type { Step } from '@throughline/contract';
import { findTarget } from '../../../sequence/call-target.ts';

export type Grouping = 'none' | 'file' | 'service';

/** The lane of a file is named by at most this number of parts at the end of its path: earlier parts only show the installation folder. */
const SHOWN_PARTS = 3;

/** Returns the lane of a function: its file or service. Calls that leave the process are in the lane of their target. */
export function nameLane(step: Step, grouping: Exclude<Grouping, 'none'>, service: string): string {
  const target = findTarget(step);
  if (target !== undefined) return target.name;
  if (grouping === 'service') return service || 'This service';
  if (step.filePath === null) return 'Unknown file';
  const parts = step.filePath.split(/[\\/]/);
  return parts.slice(-SHOWN_PARTS).join('/');
}
