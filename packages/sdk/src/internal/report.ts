/**
 * The SDK's only output: lines on stderr, each distinct line once. Stdout belongs to the host. With the `debug` option, further lines
 * report what the SDK does and skips.
 */

const said = new Set<string>();
const maxSaid = 200;
let debugging = false;

export function setDebug(on: boolean): void {
  debugging = on;
}

/** Prints `line` once per process. Without `debug`, prints at most `maxSaid` lines. Never throws, whatever the host did to stderr. */
export function report(line: string): void {
  if (said.has(line)) return;
  if (said.size < maxSaid) {
    said.add(line);
    write(line);
  } else if (debugging) write(line);
  else sayTheEnd();
}

/** Prints `line` only with the `debug` option. */
export function reportDetail(line: string): void {
  if (debugging) report(line);
}

let ended = false;

function sayTheEnd(): void {
  if (ended) return;
  ended = true;
  write(`more was said than ${maxSaid} lines: the rest is left out; THROUGHLINE_DEBUG=1 shows all`);
}

const ignoreError = (): void => {};

function write(line: string): void {
  try {
    // The message of a host's error can contain line breaks and terminal codes. Only stacks, printed with `debug`, keep their line breaks.
    const shown = debugging ? line : line.replace(/[\p{C}\u2028\u2029]+/gu, ' ');
    const { stderr } = process;
    // A closed pipe emits `error` later, which would end a process that has no listener for the event. `console` adds a listener for the
    // same reason.
    stderr.once('error', ignoreError);
    try {
      stderr.write(`[throughline] ${shown}\n`, (error) => {
        if (error && stderr.listenerCount('error') === 0) stderr.once('error', ignoreError);
      });
    } finally {
      stderr.removeListener('error', ignoreError);
    }
  } catch {
    // An error of a closed or replaced stderr must not disturb the host.
  }
}

/**
 * Runs `fn` and catches its errors, so that they do not reach the host. Each call from the host into the SDK goes through this function, or
 * through a try block of its own if a closure would be too slow.
 */
export function runGuarded<T>(what: string, fn: () => T): T | undefined {
  try {
    return fn();
  } catch (error) {
    reportFault(what, error);
    return undefined;
  }
}

/** Prints once that a part of the SDK failed, with the stack only under `debug`. Never throws, even if the host has patched built-ins. */
export function reportFault(what: string, error: unknown): void {
  try {
    const detail = error instanceof Error ? (debugging ? error.stack : error.message) : typeof error;
    report(
      `${what} failed and was skipped: ${detail}${debugging ? '' : '; THROUGHLINE_DEBUG=1 shows where'}`,
    );
  } catch {
    // Nothing is left that could report the failure.
  }
}
