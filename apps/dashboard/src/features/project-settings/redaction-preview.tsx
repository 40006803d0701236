import { NativeSelect, Text } from '@mantine/core';
import { formatCount, formatCounted, type Redaction, type Trace } from '@throughline/contract';
import { escapeControlCharacters } from '@throughline/contract/captured';
import { useDeferredValue, useId, useMemo, useState } from 'react';
import { ErrorNotice } from '../../ui/feedback/error-notice.tsx';
import { formatClock } from '../../ui/time/relative-time.ts';
import { findHiddenPlaces } from './hidden-places.ts';
import { useRecentTraces, useWholeTrace } from './queries.ts';
import classes from './settings.module.css';

/** Maximum number of listed fields; further fields are only counted. */
const LISTED = 100;
/** Traces with more steps are not offered, since their values can be tens of megabytes. */
const MAX_STEPS = 5000;

interface RedactionPreviewProps {
  readonly projectId: string;
  /** Undefined while the typed rules are invalid. */
  readonly rules: Redaction | undefined;
}

/** Shows which values of a stored trace the rules would hide, without changing the trace. */
export function RedactionPreview({ projectId, rules }: RedactionPreviewProps) {
  const recent = useRecentTraces(projectId);
  const [chosen, setChosen] = useState('');
  const whole = useWholeTrace(chosen === '' ? undefined : chosen);
  const wanted = useDeferredValue(rules);
  const offered = recent.data?.filter(({ stepCount }) => stepCount <= MAX_STEPS) ?? [];
  return (
    <>
      <NativeSelect
        label="Try on a stored trace"
        description="Stored traces do not change."
        disabled={offered.length === 0}
        value={chosen}
        onChange={(event) => setChosen(event.currentTarget.value)}
        data={[
          { value: '', label: offered.length === 0 ? explainNone(recent) : 'Choose a trace' },
          ...offered.map(({ _id, request, response, timing }) => ({
            value: _id,
            label: escapeControlCharacters(
              `${formatClock(Date.parse(timing.startTime))} ${request.method} ${request.path} ${response.statusCode ?? ''}`,
            ),
          })),
        ]}
      />
      {recent.isError && (
        <ErrorNotice
          what="The stored traces could not be loaded."
          error={recent.error}
          onRetry={() => void recent.refetch()}
          retrying={recent.isFetching}
        />
      )}
      {whole.isError && (
        <ErrorNotice
          what="The trace could not be loaded."
          error={whole.error}
          onRetry={() => void whole.refetch()}
          retrying={whole.isFetching}
        />
      )}
      {whole.data !== undefined && wanted !== undefined && <Hidden trace={whole.data} rules={wanted} />}
    </>
  );
}

function explainNone({ isPending, isError, data = [] }: ReturnType<typeof useRecentTraces>): string {
  if (isPending) return 'Loading…';
  if (isError) return 'Not loaded';
  if (data.length === 0) return 'No trace is stored yet';
  return `All recent traces are too large (over ${formatCount(MAX_STEPS)} steps)`;
}

function Hidden({ trace, rules }: { readonly trace: Trace; readonly rules: Redaction }) {
  const titleId = useId();
  const { places, total } = useMemo(() => findHiddenPlaces(trace, rules, LISTED), [trace, rules]);
  return (
    <div aria-live="polite">
      <Text size="sm" fw={600} id={titleId}>
        {total === 0
          ? 'These rules would remove nothing else from this trace.'
          : `Would be removed from this trace: ${formatCounted(total, 'place')}`}
      </Text>
      {total > 0 && (
        // A scrolling list must be focusable for keyboard users.
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the list must scroll without a mouse
        <ul className={classes.places} aria-labelledby={titleId} tabIndex={0}>
          {places.map(({ step, path, extent }) => (
            <li key={`${step?.id ?? ''} ${path.join('.')}`}>
              <span className="mono">{escapeControlCharacters(path.join('.'))}</span>
              {step !== undefined && <> in {escapeControlCharacters(step.name)}</>}
              {extent === 'part' && (
                <Text span size="xs" c="dimmed">
                  {' '}
                  (a part of the text)
                </Text>
              )}
            </li>
          ))}
          {total > places.length && <li>and {formatCount(total - places.length)} more</li>}
        </ul>
      )}
    </div>
  );
}
