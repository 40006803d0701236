import type { StepForest, StepNode } from '../steps/analysis/step-forest.ts';
import { atOnce, each, type Work } from '../work/work.ts';

/** The steps whose code stands on one line. */
export interface LineSteps {
  readonly key: string;
  /** Null where only the file is known. */
  readonly line: number | null;
  /** In start order. */
  readonly nodes: readonly StepNode[];
  readonly calls: number;
  /** The duration of all calls together. Milliseconds. */
  readonly totalMs: number;
  readonly failed: boolean;
}

/** A source file with its lines from top to bottom. */
export interface FileSteps {
  /** Null for steps whose place in the code is not known, such as a driver's queries. */
  readonly path: string | null;
  readonly lines: readonly LineSteps[];
  readonly steps: number;
  /** Spent in the file's own code. Milliseconds. */
  readonly selfMs: number;
  readonly failed: boolean;
}

/** A trace's steps by where their code stands: files in the order in which the request came to them, unknown places last. */
export function stepsByFile(forest: StepForest): FileSteps[] {
  return atOnce(stepsByFileWork(forest));
}

/** {@link stepsByFile} in pieces. */
export function* stepsByFileWork(forest: StepForest): Work<FileSteps[]> {
  const byFile = new Map<string | null, Map<string, StepNode[]>>();
  yield* each(forest.all, (node) => {
    const { filePath, lineNumber, functionName, stepName } = node.step;
    const places = byFile.get(filePath) ?? new Map<string, StepNode[]>();
    byFile.set(filePath, places);
    // Several functions may stand on one line: each has an entry of its own.
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
    failed: nodes.some(({ step }) => step.error !== null),
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
      failed: steps.some(({ step }) => step.error !== null),
    }))
    .sort((a, b) => (a.line ?? Number.POSITIVE_INFINITY) - (b.line ?? Number.POSITIVE_INFINITY));
}

/** Which of a line's calls is shown: the selected one, else where it failed, else the first. */
export function shownCall({ nodes }: LineSteps, selected: string | undefined): StepNode | undefined {
  return (
    nodes.find(({ key }) => key === selected) ?? nodes.find(({ step }) => step.error !== null) ?? nodes[0]
  );
}

/** The call of the same line before or after the given one. */
export function callBeside({ nodes }: LineSteps, node: StepNode, by: 1 | -1): StepNode | undefined {
  return nodes[nodes.indexOf(node) + by];
}
