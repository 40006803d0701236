import { constants } from 'node:os';
import { replaceOnce } from '../internal/foreign.ts';
import { reportFault } from '../internal/report.ts';
import { clearTimeout, setImmediate, setTimeout } from '../internal/timers.ts';
import type { Tracer } from './tracer.ts';

/** Node's own function, saved before the method is hooked. */
const kill = process.kill.bind(process);
/** Maximum time in ms by which sending the last traces delays the end of the process. */
const lastFlushMs = 1000;
/**
 * Signals that end a Node process by default, even if its parent process ignores them, as nohup does: Node restores the default actions
 * when it starts. nodemon restarts a process with SIGUSR2.
 */
const signals = ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGUSR2'] as const;

/**
 * Sends the remaining traces when the process ends. Does not change how the process ends: the exit code, the output, the host's own
 * handlers and the default action of signals stay the same.
 */
export function installExitHandlers(tracer: Tracer): void {
  handleEmptyLoop(tracer);
  for (const signal of signals) handleSignal(signal, tracer);
  patchKill(tracer);
  process.on('uncaughtExceptionMonitor', (error) => runGuarded(() => tracer.uncaught(error)));
  process.on('exit', () => runGuarded(() => tracer.flushOnExit()));
}

/** True once a listener of the host has handled a signal. Such a host often cleans up and then sends the signal to itself again. */
let hostHandled = false;

/**
 * Flushes when the event loop is empty. Keeps the process alive only once, and only until the flush is done. If no trace is queued, the
 * process is not delayed.
 */
function handleEmptyLoop(tracer: Tracer): void {
  process.once('beforeExit', () => {
    runGuarded(() => tracer.settle());
    if (!tracer.isIdle) void flushHeld(tracer);
    // The host may have sent the handled signal to itself again. Because the SDK listens to the signal, the signal arrives only in the
    // loop's next turn. Without this callback there would be no next turn, and the process would exit normally.
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
 * Handles a signal. If the host handles the signal, too, leaves the process to the host. Otherwise flushes, and then sends the signal again
 * for its default action, so that the parent process sees the same exit as without the SDK.
 */
function handleSignal(signal: (typeof signals)[number], tracer: Tracer): void {
  const onSignal = (): void => {
    // The SDK's listener is removed while other listeners run, because signal-exit and similar packages end the process only if theirs is
    // the only listener.
    process.removeListener(signal, onSignal);
    if (process.listenerCount(signal) > 0) {
      hostHandled = true;
      // The host decides if the process ends; the remaining traces are sent when it does. The listener is added again only on the next
      // tick, because the host may send the signal to itself again in this turn.
      process.nextTick(() => process.prependListener(signal, onSignal));
      return;
    }
    runGuarded(() => tracer.endUnfinished());
    if (tracer.isIdle) kill(process.pid, signal);
    else void flushHeld(tracer).then(() => kill(process.pid, signal));
  };
  // The SDK's listener must be the first, so that a host's `once` handler is still in the list when the SDK counts the listeners.
  process.prependListener(signal, onSignal);
}

/**
 * Flushes before a host that has handled a signal sends the signal to itself with `process.kill`, because the process then ends before the
 * loop's next turn.
 */
function patchKill(tracer: Tracer): void {
  replaceOnce(process, 'kill', (killAny) => {
    return function (...args) {
      runGuarded(() => {
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

function runGuarded(fn: () => void): void {
  try {
    fn();
  } catch (error) {
    reportFault('Sending the last traces', error);
  }
}
