import { constants, platform, setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import { hashSync, verifySync } from '@node-rs/argon2';
import { COST } from './password-cost.ts';

/** Hashes a password, or compares it with a hash. */
export interface PasswordTask {
  readonly password: string;
  /** Undefined: hash it. */
  readonly against: string | undefined;
}

export type PasswordResult = { readonly value: string | boolean } | { readonly failure: string };

function carryOut({ password, against }: PasswordTask): PasswordResult {
  try {
    return { value: against === undefined ? hashSync(password, COST) : verifySync(against, password) };
  } catch (error) {
    return { failure: String(error) };
  }
}

// On Linux this is the thread's own priority, elsewhere it would be the whole process's: queries go first where both want a core.
if (platform() === 'linux') setPriority(0, constants.priority.PRIORITY_BELOW_NORMAL);
parentPort?.on('message', (task: PasswordTask) => parentPort?.postMessage(carryOut(task)));
