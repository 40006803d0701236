import { constants } from 'node:os';
import { replaceOnce } from '../internal/foreign.ts';
import { reportFault } from '../internal/report.ts';
import { clearTimeout, setImmediate, setTimeout } from '../internal/timers.ts';
import type { Tracer } from './tracer.ts';

/** Node's own function, saved before the method is hooked. */
const kill = process.kill.bind(process);
/** The maximum time by which sending the last traces delays the end of the process. */
const lastFlushMs = 1000;
/** Signals that end a process by default. Node does not inherit an ignored signal (nohup). nodemon restarts with SIGUSR2. */
const signals = ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGUSR2'] as const;

/**
 * Sends the remaining traces when the process ends, without changing how it ends: exit code, output, the host's own handlers and the
 * default action of signals stay the same.
 */
export function watchProcessEnd(tracer: Tracer): void {
  watchEmptyLoop(tracer);
  for (const signal of signals) watchSignal(signal, tracer);
  watchKill(tracer);
  process.on('uncaughtExceptionMonitor', (error) => guarded(() => tracer.uncaught(error)));
  process.on('exit', () => guarded(() => tracer.flushOnExit()));
}

/** A host that handles a signal often sends the signal to itself again after cleaning up. */
let hostHandled = false;

/**
 * When the event loop is empty, keeps the process alive once, only until the flush is done. If no trace is queued, the process is not
 * delayed.
 */
function watchEmptyLoop(tracer: Tracer): void {
  process.once('beforeExit', () => {
    guarded(() => tracer.settle());
    if (!tracer.isIdle) void flushHeld(tracer);
    // With the SDK's listener, the repeated signal arrives only in the loop's next turn, and the process would otherwise have exited
    // normally by then.
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
 * If the host handles the signal, leaves the process to the host. Otherwise repeats the signal's default action after the flush, so that
 * the parent process sees the same exit.
 */
function watchSignal(signal: (typeof signals)[number], tracer: Tracer): void {
  const onSignal = (): void => {
    // Removed while other listeners run: signal-exit and similar packages end the process only if theirs is the only listener.
    process.removeListener(signal, onSignal);
    if (process.listenerCount(signal) > 0) {
      hostHandled = true;
      // The host may end the process or not; remaining traces are sent when it does. The host may send the signal to itself again in this
      // turn.
      process.nextTick(() => process.prependListener(signal, onSignal));
      return;
    }
    guarded(() => tracer.endUnfinished());
    if (tracer.isIdle) kill(process.pid, signal);
    else void flushHeld(tracer).then(() => kill(process.pid, signal));
  };
  // Must be the first listener, so that a host's `once` handler is still in the list when listeners are counted.
  process.prependListener(signal, onSignal);
}

/** Flushes before a host that has handled a signal sends the signal to itself, because the process ends before the next turn. */
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
