import type { StepForest, StepNode } from '../steps/analysis/step-forest.ts';
import { each, runWithoutPauses, type Work } from '../work/work.ts';

/** The steps of one function on one line. */
export interface LineSteps {
  readonly key: string;
  /** Null if only the file is known. */
  readonly line: number | null;
  /** The steps on this line, in start order. */
  readonly nodes: readonly StepNode[];
  readonly calls: number;
  /** The total duration of all calls, in milliseconds. */
  readonly totalMs: number;
}

/** A source file with its lines from top to bottom. */
export interface FileSteps {
  /** Null for steps whose position in the code is unknown, such as a driver's queries. */
  readonly path: string | null;
  readonly lines: readonly LineSteps[];
  readonly steps: number;
  /** Time spent in the file's own code, in milliseconds. */
  readonly selfMs: number;
}

/** Groups a trace's steps by file and line. Files are in the order in which the request reached them; unknown positions come last. */
export function groupStepsByFile(forest: StepForest): FileSteps[] {
  return runWithoutPauses(groupStepsByFileWork(forest));
}

/** Like {@link groupStepsByFile}, but can be paused. */
export function* groupStepsByFileWork(forest: StepForest): Work<FileSteps[]> {
  const byFile = new Map<string | null, Map<string, StepNode[]>>();
  yield* each(forest.all, (node) => {
    const { filePath, lineNumber, functionName, stepName } = node.step;
    const places = byFile.get(filePath) ?? new Map<string, StepNode[]>();
    byFile.set(filePath, places);
    // Several functions can be on the same line. Each function has its own entry.
    const place = `${lineNumber} ${functionName ?? stepName}`;
    const nodes = places.get(place);
    if (nodes === undefined) places.set(place, [node]);
    else nodes.push(node);
  });
  const files: FileSteps[] = [];
  yield* each([...byFile], ([path, places]) => files.push(buildFile(path, places)));
  return files.sort((a, b) => Number(a.path === null) - Number(b.path === null));
}

function buildFile(path: string | null, places: ReadonlyMap<string, readonly StepNode[]>): FileSteps {
  const nodes = [...places.values()].flat();
  return {
    path,
    lines: buildLines(path, places),
    steps: nodes.length,
    selfMs: nodes.reduce((sum, { selfMs }) => sum + selfMs, 0),
  };
}

function buildLines(path: string | null, byPlace: ReadonlyMap<string, readonly StepNode[]>): LineSteps[] {
  return [...byPlace]
    .map(([place, steps]) => ({
      key: `${JSON.stringify(path)} ${place}`,
      line: steps[0]?.step.lineNumber ?? null,
      nodes: steps,
      calls: steps.reduce((sum, { step }) => sum + (step.repeat?.count ?? 1), 0),
      totalMs: steps.reduce((sum, { step }) => sum + step.duration, 0),
    }))
    .sort((a, b) => (a.line ?? Number.POSITIVE_INFINITY) - (b.line ?? Number.POSITIVE_INFINITY));
}

/** Returns the call of a line to show: the selected call, otherwise the call that threw, otherwise the first. */
export function chooseShownCall({ nodes }: LineSteps, selected: string | undefined): StepNode | undefined {
  return (
    nodes.find(({ key }) => key === selected) ?? nodes.find(({ outcome }) => outcome !== 'ended') ?? nodes[0]
  );
}

/** Returns the call of the same line before or after the given call. */
export function callBeside({ nodes }: LineSteps, node: StepNode, by: 1 | -1): StepNode | undefined {
  return nodes[nodes.indexOf(node) + by];
}

/** `calls`: functions in the order of their first calls; `lines`: from the top of the file to its bottom. */
export type LineOrder = 'calls' | 'lines';

/** Lists the functions of a file in the given order. */
export function orderLines({ lines }: FileSteps, order: LineOrder): readonly LineSteps[] {
  if (order === 'lines') return lines;
  const findFirst = ({ nodes }: LineSteps) => nodes[0]?.number ?? 0;
  return lines.toSorted((a, b) => findFirst(a) - findFirst(b));
}
