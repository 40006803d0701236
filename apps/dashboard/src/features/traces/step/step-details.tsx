import { formatDuration, type Step } from '@throughline/contract';
import { escapeControlCharacters, escapeControlCharactersInLines } from '@throughline/contract/captured';
import type { ReactNode } from 'react';
import { DurationText } from '../../../ui/layout/badges.tsx';
import type { StepNode } from '../../../visuals/steps/analysis/step-forest.ts';
import { OutcomeIcon } from '../../../visuals/steps/outcome-icon.tsx';
import { decideThrownAs } from '../../../visuals/steps/step-outcome.ts';
import { StepTypeIcon } from '../../../visuals/steps/step-type.tsx';
import type { LoadedTrace } from '../data/queries.ts';
import { StepSource } from '../source/step-source.tsx';
import { useStepSource } from '../source/use-source.ts';
import { Stack } from './stack.tsx';
import classes from './step-details.module.css';
import { Fact, Place, RepeatFacts } from './step-facts.tsx';
import { StepValues, type ValueSearchText } from './values/step-values.tsx';

interface StepDetailsProps extends ValueSearchText {
  readonly loaded: LoadedTrace;
  readonly node: StepNode;
  readonly onSelect: (key: string) => void;
  /** True if the source code of the step's function is shown next to the details. */
  readonly isBesideSource: boolean;
}

/** The details of a step: its type, position in the code, error and values. */
export function StepDetails({ loaded, node, onSelect, isBesideSource, sought, onSeek }: StepDetailsProps) {
  const { step, outcome, selfMs, number } = node;
  const source = <StepSource loaded={loaded} step={step} outcome={outcome} isBeside={isBesideSource} />;
  // The source code is shown above the stack and the values, and its height is unknown while it loads. The stack and the values stay hidden
  // until then, so that they do not move away from the pointer.
  const isWaiting = useStepSource(loaded.trace._id, step).isLoading;
  return (
    <section
      aria-label={`Step ${number}: ${escapeControlCharacters(step.stepName)}`}
      className={classes.root}
    >
      <header className={classes.header}>
        <h2 className={classes.name}>
          <StepTypeIcon type={step.stepType} size={16} />
          <span className={classes.nameText} title={escapeControlCharacters(step.stepName)}>
            {escapeControlCharacters(step.stepName)}
          </span>
          <span className={classes.type}>{step.stepType}</span>
        </h2>
        <dl className={classes.facts}>
          <Fact name={step.repeat === undefined ? 'Duration' : 'Total'}>
            <DurationText ms={step.duration} />
          </Fact>
          {step.repeat !== undefined && (
            <RepeatFacts repeat={step.repeat} thrownAs={decideThrownAs(loaded.trace)} />
          )}
          <Fact name="Self time">{formatDuration(selfMs)}</Fact>
          <Fact name="Started">+{formatDuration(Math.max(0, node.startMs))}</Fact>
          {step.functionName !== null && (
            <Fact name="Function">
              <span className="mono">{escapeControlCharacters(step.functionName)}</span>
            </Fact>
          )}
          <Place step={step} />
        </dl>
      </header>
      {step.error === null ? (
        source
      ) : (
        <StepFailure error={step.error} node={node} onSelect={onSelect} isWaiting={isWaiting}>
          {source}
        </StepFailure>
      )}
      {/* Hidden instead of absent, so that the values load in the meantime. */}
      <div hidden={isWaiting}>
        {step.repeat === undefined ? (
          <StepValues loaded={loaded} step={step} sought={sought} onSeek={onSeek} />
        ) : (
          <p className={classes.missing}>
            These calls are summarized. The first calls, and up to ten calls that threw, are separate steps
            with their values.
          </p>
        )}
      </div>
    </section>
  );
}

interface StepFailureProps {
  readonly error: NonNullable<Step['error']>;
  /** Rendered between the message and the stack. */
  readonly children: ReactNode;
  readonly node: StepNode;
  readonly onSelect: (key: string) => void;
  /** True until the height of the children is known. */
  readonly isWaiting: boolean;
}

function StepFailure({ error, node, onSelect, isWaiting, children }: StepFailureProps) {
  const { outcome } = node;
  return (
    <section aria-label="Step error" className={classes.failure} data-outcome={outcome}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrolling elements must be reachable by keyboard */}
      <p className={classes.message} tabIndex={0}>
        {outcome !== 'ended' && (
          <span className={classes.mark}>
            <OutcomeIcon outcome={outcome} isDecorative />
          </span>
        )}
        {outcome === 'handled' && <strong>Handled error: </strong>}
        {error.name !== undefined && <strong>{escapeControlCharacters(error.name)}: </strong>}
        {escapeControlCharactersInLines(error.message)}
        {error.code !== undefined && (
          <span className={classes.code}> (code {escapeControlCharacters(String(error.code))})</span>
        )}
      </p>
      {children}
      {error.stack !== undefined && !isWaiting && (
        <Stack text={error.stack} node={node} onSelect={onSelect} />
      )}
    </section>
  );
}
