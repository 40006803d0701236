/**
 * The SDK's only voice: one line on stderr, never twice the same. Stdout belongs to the host.
 * With `debug`, further lines say what is done and skipped.
 */

const said = new Set<string>();
const maxRemembered = 200;
let debugging = false;

export function setDebug(on: boolean): void {
  debugging = on;
}

/** Says `line` once in this process. Never throws, whatever the host did to stderr. */
export function report(line: string): void {
  if (said.has(line)) return;
  if (said.size < maxRemembered) said.add(line);
  write(line);
}

/** Says `line` only when the `debug` option is on. */
export function reportDetail(line: string): void {
  if (debugging) report(line);
}

function write(line: string): void {
  try {
    process.stderr.write(`[throughline] ${line}\n`);
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
