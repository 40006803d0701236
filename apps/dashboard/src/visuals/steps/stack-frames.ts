import type { Step } from '@throughline/contract';
import type { StepNode } from './analysis/step-forest.ts';
import { isLibraryCode } from './own-code.ts';

/** A line of a stack that has a position in code. */
export interface Frame {
  /** V8's name for the function, such as `async Till.pay [as buy]`; undefined for code outside functions. */
  readonly name: string | undefined;
  readonly file: string;
  readonly line: number;
}

/** A frame in V8's format: `at async Till.pay [as buy] (src/till.ts:30:5)`, or, outside functions, `at src/till.ts:30:5`. */
const FRAME = /^\s+at (?:(?<name>.+?) \(|async )?(?:file:\/\/)?(?<file>[^()]+?):(?<line>\d+)(?::\d+)?\)?$/;
/** Maximum number of lines of a stack that are parsed. */
const MAX_LINES = 200;

/** Lists the frames of a stack in order. Skips lines without a position in code. */
export function listFrames(stack: string): Frame[] {
  return stack.split('\n', MAX_LINES).flatMap((text) => readFrame(text) ?? []);
}

function readFrame(text: string): Frame | undefined {
  const { name, file, line } = FRAME.exec(text)?.groups ?? {};
  return file === undefined ? undefined : { name, file, line: Number(line) };
}

/** True if the frame is in the step's file. A frame has the full path, a step the path within its project. */
export function isSameFile({ file }: Frame, { filePath }: Pick<Step, 'filePath'>): boolean {
  if (filePath === null) return false;
  const path = file.replaceAll('\\', '/');
  const wanted = filePath.replaceAll('\\', '/');
  return path === wanted || path.endsWith(`/${wanted}`);
}

/** True if the frame is in the step's function. */
export function isSameFunction({ name }: Frame, { functionName }: Pick<Step, 'functionName'>): boolean {
  return functionName !== null && name !== undefined && findOwnName(name) === findOwnName(functionName);
}

function findOwnName(text: string): string | undefined {
  return text
    .replace(/^(?:async|new) /, '')
    .replace(/ \[as .*\]$/, '')
    .split('.')
    .at(-1);
}

/** A part of a stack: a frame of the project's own code, consecutive frames of libraries and Node, or the message of a cause. */
export type FrameGroup =
  | {
      readonly kind: 'own';
      readonly frame: Frame;
      readonly node: StepNode | undefined;
      /** The file within its project, if the project's folder is known from another frame; otherwise the full path. */
      readonly path: string;
    }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'folded'; readonly frames: readonly Frame[]; readonly packages: readonly string[] };

/** Groups the frames of a failed step's stack. A frame of the project's own code gets its step: the failed step or one of its callers. */
export function groupFrames(stack: string, failed: StepNode): FrameGroup[] {
  const callers: StepNode[] = [];
  for (let node: StepNode | undefined = failed; node !== undefined; node = node.parent) callers.push(node);
  const folder = findProjectFolder(listFrames(stack), callers);
  const groups: FrameGroup[] = [];
  for (const text of stack.split('\n', MAX_LINES)) {
    const frame = readFrame(text);
    const last = groups.at(-1);
    if (frame === undefined) {
      // Lines before the first frame are the error's message, which is shown above the stack, so they are skipped.
      if (last !== undefined && !text.startsWith('    at ') && text.trim() !== '')
        groups.push({ kind: 'text', text });
    } else if (!isLibraryCode({ filePath: frame.file })) {
      const node = callers.find(({ step }) => isSameFile(frame, step) && isSameFunction(frame, step));
      const { file } = frame;
      const isInside = folder !== undefined && file.startsWith(folder);
      const path = node?.step.filePath ?? (isInside ? file.slice(folder.length) : file);
      groups.push({ kind: 'own', frame, node, path });
    } else if (last?.kind === 'folded') {
      groups[groups.length - 1] = fold([...last.frames, frame]);
    } else {
      groups.push(fold([frame]));
    }
  }
  return groups;
}

/**
 * Finds the project's folder, with a slash at its end, from a frame and a step of the same file: only the frame's path contains the folder.
 */
function findProjectFolder(frames: readonly Frame[], nodes: readonly StepNode[]): string | undefined {
  for (const frame of frames) {
    const step = nodes.find((node) => isSameFile(frame, node.step))?.step;
    const length = frame.file.length - (step?.filePath?.length ?? frame.file.length);
    if (length > 0) return frame.file.slice(0, length);
  }
  return undefined;
}

function fold(frames: readonly Frame[]): FrameGroup {
  return { kind: 'folded', frames, packages: [...new Set(frames.map(({ file }) => findPackage(file)))] };
}

/** Returns the package of a library's file, such as `@nestjs/core`, or `Node.js` for Node's own files. */
function findPackage(file: string): string {
  const [, name = 'Node.js'] = /.*[\\/]?node_modules[\\/]((?:@[^\\/]+[\\/])?[^\\/]+)/.exec(file) ?? [];
  return name.replaceAll('\\', '/');
}
