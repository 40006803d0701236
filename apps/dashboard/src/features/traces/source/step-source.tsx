import { Skeleton } from '@mantine/core';
import { findSource, type SourceFunction, type Step } from '@throughline/contract';
import { escapeControlCharacters } from '@throughline/contract/captured';
import { useMemo } from 'react';
import { CopyButton } from '../../../ui/copying/copy-button.tsx';
import { ErrorNotice } from '../../../ui/feedback/error-notice.tsx';
import { isNotThere } from '../../../ui/feedback/not-there.tsx';
import { isLongSource, SourceCode } from '../../../visuals/source/source-code.tsx';
import { buildFunctionKey } from '../../../visuals/source/whole-functions.tsx';
import type { StepOutcome } from '../../../visuals/steps/step-outcome.ts';
import type { LoadedTrace } from '../data/queries.ts';
import { useSettled } from '../data/use-settled.ts';
import stepClasses from '../step/step-details.module.css';
import { useValueOrigin } from '../value-origin/value-origin-context.ts';
import { describeMissingSource } from './missing-source.ts';
import { useStepSource } from './use-source.ts';
import { useSourceLines } from './use-source-lines.ts';

const NONE: readonly SourceFunction[] = [];

interface StepSourceProps {
  readonly loaded: LoadedTrace;
  readonly step: Step;
  readonly outcome: StepOutcome;
  /**
   * True if the source code of the function is also shown beside the step's details. This component then shows only source code that is too
   * long for the place beside the details.
   */
  readonly isBeside: boolean;
}

/**
 * The source code of a step's function with the values of this call, or a sentence with the possible reasons why the source code is
 * missing. Renders nothing if the function is already shown next to the step, and for viewers who see no source code.
 */
export function StepSource({ loaded, step, outcome, isBeside }: StepSourceProps) {
  const query = useStepSource(loaded.trace._id, step);
  const functions = query.data?.[0]?.functions ?? NONE;
  const source = useMemo(() => findSource(functions, step), [functions, step]);
  // The server sends no source code to public viewers: it responds with 404, which is not shown as an error.
  if (query.isError && !isNotThere(query.error)) {
    return (
      <ErrorNotice
        what="The source could not be loaded."
        error={query.error}
        onRetry={() => void query.refetch()}
        retrying={query.isFetching}
      />
    );
  }
  if (query.isLoading) {
    return (
      <div role="status" aria-busy="true" className={stepClasses.part}>
        <span className="visually-hidden">Loading source…</span>
        <Skeleton height={96} />
      </div>
    );
  }
  if (source === undefined) {
    // If there is no data, the viewer may not see source code, so nothing is explained. If `isBeside` is true, the tab Source already
    // explains why the source code is missing.
    const isExplained = query.data !== undefined && !isBeside;
    const reason = isExplained ? describeMissingSource([step], loaded.trace, () => functions) : undefined;
    return reason === undefined ? null : (
      <p className={`${stepClasses.part} ${stepClasses.missing}`}>{reason}</p>
    );
  }
  if (isBeside && !isLongSource(source)) return null;
  return (
    <FunctionSource loaded={loaded} source={source} step={step} outcome={outcome} functions={functions} />
  );
}

interface FunctionSourceProps extends Omit<StepSourceProps, 'isBeside'> {
  readonly source: SourceFunction;
  readonly functions: readonly SourceFunction[];
}

function FunctionSource({ loaded, source, step: listed, outcome, functions }: FunctionSourceProps) {
  const { step, lines } = useSourceLines({ loaded, step: listed, source, functions }, useSettled());
  const origin = useValueOrigin();
  const name = escapeControlCharacters(step.functionName ?? step.stepName);
  return (
    <section className={stepClasses.part}>
      <h3 className={stepClasses.withButton}>
        Source <CopyButton value={source.text} label="Copy source" />
      </h3>
      <SourceCode
        label={`Source of ${name}`}
        lines={lines}
        outcome={outcome}
        functionKey={buildFunctionKey(step.filePath ?? '', source.line)}
        onFollow={origin && ((at) => origin.ask({ stepId: step.stepId, ...at }))}
      />
    </section>
  );
}
