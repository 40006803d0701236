import { IconCheck, IconCopy, IconX } from '@tabler/icons-react';
import { type ReactNode, useEffect, useState } from 'react';
import { copyText } from './copy-text.ts';

/** The time for which "Copied" is shown. Milliseconds. */
const CONFIRMATION_MS = 2000;

/** A string to copy, or a function that creates it on request. */
export type CopiedValue = string | (() => string);

interface Copying {
  readonly copy: () => void;
  /** False until the user copies, and again after the confirmation. */
  readonly isDone: boolean;
  /** The button's accessible name: the label, or the outcome of copying. */
  readonly name: string;
  readonly Icon: typeof IconCopy;
  /** CSS colour of the outcome; undefined if there is none. */
  readonly colour: string | undefined;
  /** Announces to screen readers what happened. */
  readonly announcement: ReactNode;
}

/** Copies a string and shows a confirmation for two seconds. */
export function useCopy(value: CopiedValue, label: string): Copying {
  const [outcome, setOutcome] = useState<'copied' | 'failed'>();
  useEffect(() => {
    if (outcome === undefined) return;
    const timer = setTimeout(() => setOutcome(undefined), CONFIRMATION_MS);
    return () => clearTimeout(timer);
  }, [outcome]);

  const copy = () => {
    copyText(typeof value === 'string' ? value : value()).then(
      () => setOutcome('copied'),
      () => setOutcome('failed'),
    );
  };
  const isDone = outcome !== undefined;
  const name = !isDone ? label : outcome === 'copied' ? 'Copied' : 'Copying failed';
  const announcement = (
    <span role="status" className="visually-hidden">
      {isDone ? name : ''}
    </span>
  );
  const tone = outcome === 'copied' ? 'var(--tone-green-text)' : 'var(--tone-red-text)';
  const Icon = !isDone ? IconCopy : outcome === 'copied' ? IconCheck : IconX;
  return { copy, isDone, name, Icon, colour: isDone ? tone : undefined, announcement };
}
