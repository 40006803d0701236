import type { ShownStacks } from '../record/errors/stack-places.ts';
import type { RecordedStep } from '../record/recorded-step.ts';
import type { StepError } from '../record/types.ts';
import { AuthorsFiles } from './authors-files.ts';

/** Matches `    at async charge (file:///srv/dist/pay.js:3:9)`, but no frames of Node's own code or `eval`. */
const frame = /^(\s+at (?:.*\()?)((?:file:\/\/|\/|[A-Za-z]:[\\/]).*?):(\d+):(\d+)(\)?)$/gm;
const files = new AuthorsFiles();

/** Called when a file is loaded. If the file is large, starts to scan it now, so that even its first error can be mapped. Never throws. */
export function prepareStacks(path: string): void {
  if (!process.sourceMapsEnabled) files.prepare(path);
}

/**
 * Maps the stacks of the steps' errors, and the stacks among captured values (in place), to the author's files and lines. Does nothing if
 * Node runs with --enable-source-maps, because Node then maps the stacks itself. Columns are omitted. Never throws.
 */
export function withAuthorsStacks(
  flow: readonly RecordedStep[],
  shown: ShownStacks | null,
): readonly RecordedStep[] {
  if (process.sourceMapsEnabled) return flow;
  try {
    if (shown !== null) mapShown(shown.texts);
    return flow.some(({ error }) => error?.stack !== undefined) ? withAuthorsErrors(flow) : flow;
  } catch {
    // The host application has patched a built-in that this function uses.
    return flow;
  }
}

/** Maps each distinct stack once, because each function that handles an error captures the error's stack again. */
function mapShown(texts: (string | undefined)[]): void {
  const mapped = new Map<string, string>();
  for (const [index, text] of texts.entries()) {
    if (text === undefined) continue;
    const authors = mapped.get(text) ?? mapStack(text);
    mapped.set(text, authors);
    texts[index] = authors;
  }
}

/** Maps each error once: an error is shown on each step that it passed through. */
function withAuthorsErrors(flow: readonly RecordedStep[]): readonly RecordedStep[] {
  const errors = new Map<StepError, StepError>();
  return flow.map((step) => {
    const { error } = step;
    if (error?.stack === undefined) return step;
    const shown = errors.get(error) ?? { ...error, stack: mapStack(error.stack) };
    errors.set(error, shown);
    return { ...step, error: shown };
  });
}

/** Returns the stack with the author's files and lines, if source maps contain them. */
export function mapStack(stack: string): string {
  return stack.replace(
    frame,
    (whole: string, before: string, file: string, line: string, column: string, after: string) => {
      const place = files.placeOf(file, Number(line), Number(column));
      return place === undefined ? whole : `${before}${place.file}:${place.line}${after}`;
    },
  );
}
