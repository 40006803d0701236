import { constants, platform, setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import { hashSync, verifySync } from '@node-rs/argon2';
import { COST } from './password-cost.ts';

/** A task for a thread: to hash a password, or to compare a password with a hash. */
export interface PasswordTask {
  readonly password: string;
  /** The hash to compare the password with; undefined to hash the password. */
  readonly against: string | undefined;
}

export type PasswordResult = { readonly value: string | boolean } | { readonly failure: string };

function runTask({ password, against }: PasswordTask): PasswordResult {
  try {
    return { value: against === undefined ? hashSync(password, COST) : verifySync(against, password) };
  } catch (error) {
    return { failure: String(error) };
  }
}

// Lowers the thread's priority, so that queries go first when both need a core. Only on Linux, because elsewhere priority applies to the
// whole process.
if (platform() === 'linux') setPriority(0, constants.priority.PRIORITY_BELOW_NORMAL);
parentPort?.on('message', (task: PasswordTask) => parentPort?.postMessage(runTask(task)));
