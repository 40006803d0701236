import { Skeleton } from '@mantine/core';
import { IconAlertCircleFilled } from '@tabler/icons-react';
import { type CapturedValue, formatDuration, type Step } from '@throughline/contract';
import { useEffect, useState } from 'react';
import { DurationText } from '../../ui/badges.tsx';
import { CodeLine } from '../../ui/code-line.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { SqlText } from '../../visuals/sql/sql-text.tsx';
import type { StepNode } from '../../visuals/steps/step-forest.ts';
import { StepTypeIcon } from '../../visuals/steps/step-type.tsx';
import { quoteless, quotelessLines } from '../../visuals/values/quoteless.ts';
import { ValueTree } from '../../visuals/values/value-tree.tsx';
import { type LoadedTrace, useStepValues } from './queries.ts';
import { SeenBefore } from './seen-before.tsx';
import { Stack } from './stack.tsx';
import classes from './step-details.module.css';
import { Fact, Place, RepeatFacts } from './step-facts.tsx';
import { sqlOf } from './step-query.ts';
import { stepCurl } from './step-request.ts';

interface StepDetailsProps {
  readonly loaded: LoadedTrace;
  readonly node: StepNode;
}

/** One step: what it is, where it stands in the code, how it failed, and with which values. */
export function StepDetails({ loaded, node }: StepDetailsProps) {
  const { step, selfMs, number } = node;
  return (
    <section aria-label={`Step ${number}: ${quoteless(step.stepName)}`} className={classes.root}>
      <header className={classes.header}>
        <h2 className={classes.name}>
          <StepTypeIcon type={step.stepType} size={16} />
          <span className={classes.nameText} title={step.stepName}>
            {quoteless(step.stepName)}
          </span>
          <span className={classes.type}>{step.stepType}</span>
        </h2>
        <dl className={classes.facts}>
          <Fact name={step.repeat === undefined ? 'Duration' : 'Together'}>
            <DurationText ms={step.duration} />
          </Fact>
          {step.repeat !== undefined && <RepeatFacts repeat={step.repeat} />}
          <Fact name="Self time">{formatDuration(selfMs)}</Fact>
          <Fact name="Started">+{formatDuration(Math.max(0, node.startMs))}</Fact>
          {step.functionName !== null && (
            <Fact name="Function">
              <span className="mono">{quoteless(step.functionName)}</span>
            </Fact>
          )}
          <Place step={step} />
        </dl>
      </header>
      {step.error !== null && <StepFailure error={step.error} />}
      {step.repeat === undefined ? (
        <StepValues key={step.stepId} loaded={loaded} step={step} />
      ) : (
        <p className={classes.missing}>
          These calls were counted, not recorded one by one: the first calls before them and calls that failed
          are steps of their own, with their values.
        </p>
      )}
    </section>
  );
}

function StepFailure({ error }: { readonly error: NonNullable<Step['error']> }) {
  return (
    <section aria-label="Step error" className={classes.failure}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <p className={classes.message} tabIndex={0}>
        <IconAlertCircleFilled size={14} aria-hidden className={classes.mark} />
        {error.name !== undefined && <strong>{quoteless(error.name)}: </strong>}
        {quotelessLines(error.message)}
        {error.code !== undefined && (
          <span className={classes.code}> (code {quoteless(String(error.code))})</span>
        )}
      </p>
      {error.stack !== undefined && <Stack text={error.stack} />}
    </section>
  );
}

function StepValues({ loaded, step }: { readonly loaded: LoadedTrace; readonly step: Step }) {
  const values = useStepValues(loaded, step, useSettled());
  if (values.isPending) {
    return (
      <div role="status" aria-busy="true" className={classes.waiting}>
        <span className="visually-hidden">Loading values…</span>
        <Skeleton height={12} width="30%" />
        <Skeleton height={12} width="70%" />
        <Skeleton height={12} width="55%" />
      </div>
    );
  }
  if (values.isError) {
    return (
      <ErrorNotice
        what="This step's values could not be loaded."
        error={values.error}
        onRetry={() => void values.refetch()}
        retrying={values.isFetching}
      />
    );
  }
  const parts = partsOf(values.data);
  const missing = parts.filter((part) => part.value === undefined).map((part) => part.title.toLowerCase());
  return (
    <>
      <StepCommand step={values.data} />
      {parts.map(
        ({ title, path, value, note }) =>
          value !== undefined && (
            <section key={title} className={classes.part}>
              <h3>
                {title}
                {note !== undefined && <span className={classes.note}> {note}</span>}
              </h3>
              {isEmpty(value) ? (
                <p className={classes.none}>none</p>
              ) : (
                <ValueTree value={value} label={title} path={path} />
              )}
            </section>
          ),
      )}
      <SeenBefore step={values.data} flow={loaded.trace.flow} />
      {missing.length > 0 && <p className={classes.missing}>Not captured: {missing.join(', ')}.</p>}
    </>
  );
}

/** What a step asked of a database or another server, as one would write it oneself. */
function StepCommand({ step }: { readonly step: Step }) {
  const sql = sqlOf(step);
  const curl = stepCurl(step);
  if (sql !== undefined) {
    return (
      <section className={classes.part} aria-label="SQL">
        <h3 className={classes.withButton}>
          SQL <CopyButton value={sql} label="Copy SQL" />
        </h3>
        <SqlText text={sql} />
      </section>
    );
  }
  return (
    curl !== undefined && (
      <details className={classes.stack}>
        <summary>As cURL</summary>
        <CodeLine code={curl} label="Copy cURL command" />
      </details>
    )
  );
}

/** A step that is only passed by on the way to another asks for nothing. Milliseconds. */
const SETTLED_AFTER_MS = 100;

function useSettled(): boolean {
  const [settled, setSettled] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(true), SETTLED_AFTER_MS);
    return () => clearTimeout(timer);
  }, []);
  return settled;
}

interface ValuePart {
  readonly title: string;
  readonly path: readonly string[];
  readonly value: CapturedValue | undefined;
  readonly note?: string;
}

/** What explains a failure comes first. */
function partsOf(step: Step): ValuePart[] {
  const { variables } = step;
  const note = variables?.capturedAt === 'throw' ? { note: 'when it threw' } : {};
  return [
    { title: 'Parameters', path: PATHS.parameters, value: variables?.parameters, ...note },
    { title: 'Local variables', path: PATHS.localVariables, value: variables?.localVariables, ...note },
    { title: 'Return value', path: PATHS.returnValue, value: variables?.returnValue },
    { title: 'This context', path: PATHS.thisContext, value: variables?.thisContext },
    { title: 'Inputs', path: PATHS.inputs, value: step.inputs, note: 'at entry' },
    { title: 'Outputs', path: PATHS.outputs, value: step.outputs },
    { title: 'Metadata', path: PATHS.metadata, value: step.metadata },
  ];
}

/** Kept, so that a tree's path is the same at each draw. Variables are copied by the name that the code has for them. */
const PATHS = {
  parameters: [],
  localVariables: [],
  returnValue: ['returnValue'],
  thisContext: ['this'],
  inputs: ['inputs'],
  outputs: ['outputs'],
  metadata: ['metadata'],
} as const satisfies Record<string, readonly string[]>;

/** Nothing to show, as against a value that is itself empty. */
function isEmpty(value: CapturedValue): boolean {
  return (
    typeof value === 'object' && value !== null && !Array.isArray(value) && Object.keys(value).length === 0
  );
}
