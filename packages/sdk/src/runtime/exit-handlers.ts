import { constants } from 'node:os';
import { reportFault } from '../internal/report.ts';
import { replaceOnce } from '../libraries/foreign.ts';
import { clearTimeout, setImmediate, setTimeout } from './timers.ts';
import type { Tracer } from './tracer.ts';

/** Node's own, taken before it is watched. */
const kill = process.kill.bind(process);
/** How long a process that is about to end may be held back for its last traces. */
const lastFlushMs = 1000;
/** Signals that end a process by default. Node does not inherit an ignored signal (nohup). nodemon restarts with SIGUSR2. */
const signals = ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGUSR2'] as const;

/**
 * Sends what is left when the process ends, without changing how it ends: exit code, output, the host's own handlers and the default action
 * of signals stay what they were.
 */
export function watchProcessEnd(tracer: Tracer): void {
  watchEmptyLoop(tracer);
  for (const signal of signals) watchSignal(signal, tracer);
  watchKill(tracer);
  process.on('uncaughtExceptionMonitor', (error) => guarded(() => tracer.uncaught(error)));
  process.on('exit', () => guarded(() => tracer.flushOnExit()));
}

/** A host that handles a signal often sends it to itself again in the end, having cleaned up. */
let hostHandled = false;

/** The process has nothing left to do: once, it is kept for the flush and no longer. When nothing is queued, nothing is awaited. */
function watchEmptyLoop(tracer: Tracer): void {
  process.once('beforeExit', () => {
    guarded(() => tracer.settle());
    if (!tracer.isIdle) void flushHeld(tracer);
    // With our listener in place, such a signal comes only with the loop's next turn: without one, the process would end by itself.
    else if (hostHandled) setImmediate(() => {});
  });
}

async function flushHeld(tracer: Tracer): Promise<void> {
  const hold = setTimeout(() => {}, lastFlushMs);
  try {
    await tracer.flush(lastFlushMs);
  } catch (error) {
    reportFault('Sending the last traces', error);
  } finally {
    clearTimeout(hold);
  }
}

/**
 * Where the host handles the signal, that is its own affair. Where it does not, the default action is given after the flush, so that the parent
 * process sees the same death.
 */
function watchSignal(signal: (typeof signals)[number], tracer: Tracer): void {
  const onSignal = (): void => {
    // Out of the list while the others run: signal-exit and its like end the process only if they find themselves alone in it.
    process.removeListener(signal, onSignal);
    if (process.listenerCount(signal) > 0) {
      hostHandled = true;
      // The host ends the process, or not; what is left is sent when it does. It may send itself the signal again in this turn.
      process.nextTick(() => process.prependListener(signal, onSignal));
      return;
    }
    guarded(() => tracer.endUnfinished());
    if (tracer.isIdle) kill(process.pid, signal);
    else void flushHeld(tracer).then(() => kill(process.pid, signal));
  };
  // First in the list: a host's `once` handler behind us is still there to be counted.
  process.prependListener(signal, onSignal);
}

/** A host that has handled a signal and sends it to itself at once is gone before the next turn. */
function watchKill(tracer: Tracer): void {
  replaceOnce(process, 'kill', (killAny) => {
    return function (...args) {
      guarded(() => {
        if (endsThisProcess(args[0], args[1] ?? 'SIGTERM')) tracer.flushOnExit();
      });
      return killAny.apply(this, args);
    };
  });
}

function endsThisProcess(pid: unknown, signal: unknown): boolean {
  if (pid !== process.pid) return false;
  const name = signals.find((one) => one === signal || constants.signals[one] === signal);
  return name !== undefined && process.listenerCount(name) === 0;
}

function guarded(fn: () => void): void {
  try {
    fn();
  } catch (error) {
    reportFault('Sending the last traces', error);
  }
}
