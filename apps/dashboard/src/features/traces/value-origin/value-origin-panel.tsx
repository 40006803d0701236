import { CloseButton, Skeleton } from '@mantine/core';
import type { ValueOrigin } from '@throughline/contract';
import { escapeControlCharacters } from '@throughline/contract/captured';
import { useEffect, useRef } from 'react';
import { ErrorNotice } from '../../../ui/feedback/error-notice.tsx';
import type { Selection } from '../data/use-selection.ts';
import { CodeText } from '../parts/code-text.tsx';
import type { AskedValue } from './asked-value.ts';
import { nameAsked } from './link-words.ts';
import classes from './value-origin.module.css';
import { useValueOrigin, type ValueOriginState } from './value-origin-context.ts';
import { ValuePathList } from './value-path-list.tsx';

/**
 * Shows the path of the followed value through the request, above the selected step's values. Renders nothing while no value is followed.
 */
export function ValueOriginPanel({ selection }: { readonly selection: Selection }) {
  const state = useValueOrigin();
  if (state?.asked === undefined) return null;
  return <OpenPanel state={state} asked={state.asked} selection={selection} />;
}

interface OpenPanelProps {
  readonly state: ValueOriginState;
  readonly asked: AskedValue;
  readonly selection: Selection;
}

function OpenPanel({ state, asked, selection }: OpenPanelProps) {
  const { query, takeFocus } = state;
  const box = useRef<HTMLElement>(null);
  const came = useRef<Element>(null);
  const key = JSON.stringify(asked);
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once per requested value
  useEffect(() => {
    if (!takeFocus()) return;
    came.current = document.activeElement;
    box.current?.focus();
    box.current?.scrollIntoView({ block: 'nearest' });
  }, [key]);
  const close = () => {
    const back = came.current?.isConnected === true ? came.current : box.current?.parentElement;
    state.close();
    if (back instanceof HTMLElement) back.focus();
  };
  const name = nameAsked(asked);
  return (
    <section ref={box} tabIndex={-1} aria-label={`Where ${name} came from`} className={classes.panel}>
      <header className={classes.header}>
        <h2>
          Where <code className="mono">{name}</code> came from
        </h2>
        <CloseButton size={24} aria-label="Close path" title="Close path" onClick={close} />
      </header>
      {query.isError ? (
        <ErrorNotice
          what="The value could not be followed."
          error={query.error}
          onRetry={() => void query.refetch()}
          retrying={query.isFetching}
        />
      ) : query.data === undefined ? (
        <div role="status" aria-busy="true" className={classes.waiting}>
          <span className="visually-hidden">Following the value…</span>
          <Skeleton height={12} width="60%" />
          <Skeleton height={12} width="80%" />
          <Skeleton height={12} width="70%" />
        </div>
      ) : (
        <Found origin={query.data} selection={selection} />
      )}
    </section>
  );
}

function Found({ origin, selection }: { readonly origin: ValueOrigin; readonly selection: Selection }) {
  const { refusal, value, code, came, went } = origin;
  const isAlone = refusal === null && came.length === 0 && went.length === 0;
  return (
    <>
      <p className={classes.value}>
        <span className="visually-hidden">Value: </span>
        <span className="mono">{escapeControlCharacters(value)}</span>
      </p>
      <p role="status" className={classes.sentence}>
        {refusal === null ? (
          <CodeText
            text={isAlone && code === null ? 'No other step has this value.' : (origin.origin ?? '')}
          />
        ) : (
          refusal.text
        )}
      </p>
      {refusal === null && !isAlone && <ValuePathList origin={origin} selection={selection} />}
    </>
  );
}
