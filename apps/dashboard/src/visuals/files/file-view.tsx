import { SegmentedControl } from '@mantine/core';
import { IconFileCode } from '@tabler/icons-react';
import {
  findSource,
  formatCount,
  formatCounted,
  formatDuration,
  type SourceFunction,
  type Step,
} from '@throughline/contract';
import { escapeControlCharacters } from '@throughline/contract/captured';
import { type ReactNode, useCallback, useMemo } from 'react';
import { DurationText } from '../../ui/layout/badges.tsx';
import { RowList } from '../rows/row-list.tsx';
import type { ValuePosition } from '../source/captured-names.ts';
import { isLongSource, RunLegend } from '../source/source-code.tsx';
import { buildFunctionKey, useWholeFunctions } from '../source/whole-functions.tsx';
import type { StepForest, StepNode } from '../steps/analysis/step-forest.ts';
import { OutcomeIcon } from '../steps/outcome-icon.tsx';
import { StepTypeIcon } from '../steps/step-type.tsx';
import { useWork } from '../work/use-work.ts';
import { Working } from '../work/working.tsx';
import { describeLine, describeThrown } from './describe-line.ts';
import {
  callBeside,
  chooseShownCall,
  type FileSteps,
  groupStepsByFileWork,
  type LineOrder,
  type LineSteps,
  orderLines,
} from './file-lines.ts';
import classes from './files.module.css';
import { FunctionCode } from './function-code.tsx';
import { listLineValues } from './line-values.ts';

const ROW_PX = 44;

type FileRow = { readonly kind: 'file'; readonly file: FileSteps } | LineRow;
interface LineRow {
  readonly kind: 'line';
  readonly file: FileSteps;
  readonly line: LineSteps;
}

interface FileViewProps {
  readonly forest: StepForest;
  readonly selected: string | undefined;
  readonly onSelect: (key: string) => void;
  /** Returns a step with its values, if the values are loaded. */
  readonly getValues: (node: StepNode) => Step;
  /** The functions whose source code is available, by file. */
  readonly sources: ReadonlyMap<string, readonly SourceFunction[]>;
  readonly order: LineOrder;
  readonly onOrder: (order: LineOrder) => void;
  /** Undefined if values cannot be followed. */
  readonly follow?: FollowInFiles | undefined;
}

export interface FollowInFiles {
  /** Follows a value of a step through the request. */
  readonly onFollow: (node: StepNode, at: ValuePosition) => void;
  /** Opens the menu with the values of the selected call. */
  readonly onMenu: () => void;
  readonly menu: ReactNode;
}

const ORDERS = [
  { value: 'calls', label: 'By call' },
  { value: 'lines', label: 'By line' },
] as const satisfies readonly { value: LineOrder; label: string }[];

/** The steps by file and function: the source code if available, with the values of one call. */
export function FileView({ forest, ...props }: FileViewProps) {
  const files = useWork(
    useCallback(() => groupStepsByFileWork(forest), [forest]),
    forest.all.length,
  );
  if (files === undefined) return <Working what="files" />;
  return <FileRows forest={forest} files={files} {...props} />;
}

interface FileRowsProps extends FileViewProps {
  readonly files: readonly FileSteps[];
}

function FileRows({
  forest,
  files,
  selected,
  onSelect,
  getValues,
  sources,
  order,
  onOrder,
  follow,
}: FileRowsProps) {
  const rows = useMemo(() => listRows(files, order), [files, order]);
  const whole = useWholeFunctions();
  const chosen = useMemo(() => {
    // `selected` can be the key of a bundle, which is the key of the bundle's first step with a one-character prefix.
    const node = forest.byKey.get(selected ?? '') ?? forest.byKey.get((selected ?? '').slice(1));
    const row = rows.find(
      (each) => each.kind === 'line' && node !== undefined && each.line.nodes.includes(node),
    );
    return row === undefined ? undefined : buildKey(row);
  }, [rows, forest, selected]);
  const select = (node: StepNode | undefined) => {
    if (node !== undefined) onSelect(node.key);
  };
  /** Returns the key of the row's function if the function is long and the row shows only a part of it. */
  const findCut = (row: LineRow): string | undefined => {
    const shown = chooseShownCall(row.line, selected);
    const source = shown && findSource(sources.get(row.file.path ?? '') ?? NO_FUNCTIONS, shown.step);
    if (source === undefined || !isLongSource(source)) return undefined;
    const key = buildFunctionKey(row.file.path, source.line);
    return whole.shown.has(key) ? undefined : key;
  };
  const describe = (row: LineRow) => {
    const words = describeLine(row, selected, getValues);
    return findCut(row) === undefined ? words : `${words}; Enter shows the whole function`;
  };
  const handleKey = (key: string, row: FileRow): boolean => {
    const cut = key === 'Enter' && row.kind === 'line' ? findCut(row) : undefined;
    if (cut !== undefined) whole.show(cut);
    const isFollow = key === 'w' && follow !== undefined;
    if (isFollow) follow.onMenu();
    return cut !== undefined || isFollow || turn(key, row);
  };
  const turn = (key: string, row: FileRow): boolean => {
    const by = key === 'ArrowRight' ? 1 : key === 'ArrowLeft' ? -1 : undefined;
    if (by === undefined || row.kind === 'file') return false;
    const shown = chooseShownCall(row.line, selected);
    if (shown !== undefined) select(callBeside(row.line, shown, by));
    return true;
  };
  return (
    <div className={classes.view}>
      <div className={classes.bar}>
        <SegmentedControl
          size="xs"
          aria-label="Order of functions"
          data={[...ORDERS]}
          value={order}
          onChange={onOrder}
        />
        {follow?.menu}
        {/* The legend is last, because it appears when the source code is loaded, and must not move the other controls. */}
        {sources.size > 0 && <RunLegend />}
      </div>
      <div className={classes.list}>
        <RowList
          label="Files and functions"
          rows={rows}
          rowPx={ROW_PX}
          isMeasured
          getKey={buildKey}
          describe={(row) => (row.kind === 'file' ? undefined : describe(row))}
          chosen={chosen}
          onChoose={(row) => {
            if (row.kind === 'line') select(chooseShownCall(row.line, selected));
          }}
          onKey={handleKey}
        >
          {(row) =>
            row.kind === 'file' ? (
              <FileHead file={row.file} />
            ) : (
              <Line
                line={row.line}
                selected={selected}
                onSelect={select}
                getValues={getValues}
                functions={sources.get(row.file.path ?? '') ?? NO_FUNCTIONS}
                onFollow={follow?.onFollow}
              />
            )
          }
        </RowList>
      </div>
    </div>
  );
}

function listRows(files: readonly FileSteps[], order: LineOrder): FileRow[] {
  return files.flatMap((file): FileRow[] => [
    { kind: 'file', file },
    ...orderLines(file, order).map((line) => ({ kind: 'line', file, line }) as const),
  ]);
}

function buildKey(row: FileRow): string {
  return row.kind === 'file' ? `file ${JSON.stringify(row.file.path)}` : `line ${row.line.key}`;
}

function FileHead({ file }: { readonly file: FileSteps }) {
  return (
    <div className={classes.file}>
      <IconFileCode size={16} aria-hidden />
      <span className={classes.path} title={escapeControlCharacters(file.path ?? '')}>
        <bdi dir="ltr">
          {file.path === null ? 'Source location unknown' : escapeControlCharacters(file.path)}
        </bdi>
      </span>
      <span className={classes.dim}>
        {formatCounted(file.steps, 'step')} · self {formatDuration(file.selfMs)}
      </span>
    </div>
  );
}

const NO_FUNCTIONS: readonly SourceFunction[] = [];

interface LineProps {
  readonly line: LineSteps;
  readonly selected: string | undefined;
  readonly onSelect: (node: StepNode | undefined) => void;
  readonly getValues: (node: StepNode) => Step;
  readonly functions: readonly SourceFunction[];
  readonly onFollow: FollowInFiles['onFollow'] | undefined;
}

function Line({ line, selected, onSelect, getValues, functions, onFollow }: LineProps) {
  const shown = chooseShownCall(line, selected);
  if (shown === undefined) return null;
  const source = findSource(functions, shown.step);
  const { step, outcome } = shown;
  const place = line.nodes.indexOf(shown);
  return (
    <div className={classes.line} data-outcome={outcome}>
      <span className={classes.number}>{line.line ?? ''}</span>
      <span className={classes.what}>
        {outcome === 'ended' ? <StepTypeIcon type={step.stepType} /> : <OutcomeIcon outcome={outcome} />}
        <span className={classes.name}>{escapeControlCharacters(step.functionName ?? step.stepName)}</span>
        <span className={classes.calls}>step {formatCount(shown.number)}</span>
        {line.nodes.length > 1 && (
          <span className={classes.calls}>
            <Turn line={line} shown={shown} by={-1} onSelect={onSelect} />
            call {formatCount(place + 1)} of {formatCount(line.nodes.length)}
            <Turn line={line} shown={shown} by={1} onSelect={onSelect} />
          </span>
        )}
        {outcome !== 'ended' && <span className={classes.thrownAt}>{describeThrown(shown)}</span>}
        <span className={classes.grow} />
        <DurationText ms={step.duration} />
      </span>
      {source === undefined ? (
        <span className={classes.values}>
          {listLineValues(getValues(shown)).map(({ name, text }) => (
            <span key={name}>
              <span className={classes.dim}>{name}</span> {text}
            </span>
          ))}
        </span>
      ) : (
        <FunctionCode
          source={source}
          node={shown}
          step={getValues(shown)}
          functions={functions}
          onFollow={onFollow}
        />
      )}
    </div>
  );
}

interface TurnProps extends Pick<LineProps, 'line' | 'onSelect'> {
  readonly shown: StepNode;
  readonly by: 1 | -1;
}

/**
 * Selects the previous or next call of a line by pointer. Not a button, because a row of a list must not contain a button; keys of the list
 * do the same.
 */
function Turn({ line, shown, by, onSelect }: TurnProps) {
  const to = callBeside(line, shown, by);
  return (
    <span
      aria-hidden
      className={classes.turn}
      data-end={to === undefined}
      onClick={(event) => {
        event.stopPropagation();
        onSelect(to);
      }}
    >
      {by < 0 ? '‹' : '›'}
    </span>
  );
}
