import type { Step } from '@throughline/contract';

const LIBRARY = /(?:^|[\\/])node_modules[\\/]|^node:/;

export function isLibraryCode({ filePath }: Pick<Step, 'filePath'>): boolean {
  return filePath !== null && LIBRARY.test(filePath);
}

/** True if the step is the user's own code: its file is known and belongs to no library. */
export function isOwnCode(step: Pick<Step, 'filePath'>): boolean {
  return step.filePath !== null && !isLibraryCode(step);
}
