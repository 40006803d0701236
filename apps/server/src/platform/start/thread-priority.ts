import { constants, getPriority, platform, setPriority } from 'node:os';

/**
 * Lowers the calling thread's priority, so that the event loop and the stores go first. Only on Linux, because elsewhere priority applies
 * to the whole process.
 */
export function lowerThreadPriority(): void {
  const { PRIORITY_BELOW_NORMAL } = constants.priority;
  // Without privileges, a thread that already has a lower priority (a higher number) would fail, because it must not raise its priority.
  if (platform() === 'linux' && getPriority() < PRIORITY_BELOW_NORMAL) setPriority(PRIORITY_BELOW_NORMAL);
}
