import { constants, getPriority, platform, setPriority } from 'node:os';

/**
 * Lowers the calling thread's priority, so that the event loop and the stores go first. Only on Linux, because elsewhere priority applies
 * to the whole process.
 */
export function lowerThreadPriority(): void {
  const { PRIORITY_BELOW_NORMAL } = constants.priority;
  // In a thread that already has a lower priority (a higher number), the call would fail without privileges, because it would raise the
  // priority.
  if (platform() === 'linux' && getPriority() < PRIORITY_BELOW_NORMAL) setPriority(PRIORITY_BELOW_NORMAL);
}
