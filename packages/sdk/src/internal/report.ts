/**
 * The SDK's only voice: one line on stderr, never twice the same. Stdout belongs to the host.
 * With `debug`, further lines say what is done and skipped.
 */

const said = new Set<string>();
const maxSaid = 200;
let debugging = false;

export function setDebug(on: boolean): void {
  debugging = on;
}

/** Says `line` once in this process. Never throws, whatever the host did to stderr. */
export function report(line: string): void {
  if (said.has(line)) return;
  if (said.size < maxSaid) {
    said.add(line);
    write(line);
  } else if (debugging) write(line);
  else sayTheEnd();
}

/** Says `line` only when the `debug` option is on. */
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
    // A host's error may contain line breaks and terminal codes; only a stack keeps its lines.
    const shown = debugging ? line : line.replace(/[\p{C}\u2028\u2029]+/gu, ' ');
    const { stderr } = process;
    // A pipe that nobody reads any more tells so by an `error`, later, of which a process without a listener would die. As `console` does it.
    stderr.once('error', ignoreError);
    try {
      stderr.write(`[throughline] ${shown}\n`, (error) => {
        if (error && stderr.listenerCount('error') === 0) stderr.once('error', ignoreError);
      });
    } finally {
      stderr.removeListener('error', ignoreError);
    }
  } catch {
    // A closed or replaced stderr is no reason to disturb the host.
  }
}

/**
 * Runs `fn`, and keeps whatever it throws away from the host. Each entry from the host into the SDK goes through here
 * (or has a try of its own where a closure would cost too much).
 */
export function guarded<T>(what: string, fn: () => T): T | undefined {
  try {
    return fn();
  } catch (error) {
    reportFault(what, error);
    return undefined;
  }
}

/** Says once that a part of the SDK failed, with the stack only under `debug`. Never throws, whatever the host did to the language. */
export function reportFault(what: string, error: unknown): void {
  try {
    const detail = error instanceof Error ? (debugging ? error.stack : error.message) : typeof error;
    report(
      `${what} failed and was skipped: ${detail}${debugging ? '' : '; THROUGHLINE_DEBUG=1 shows where'}`,
    );
  } catch {
    // There is nothing left to say it with.
  }
}
