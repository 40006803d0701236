import { ActionIcon, Button, Tooltip } from '@mantine/core';
import { IconCheck, IconCopy, IconX } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { copyText } from './copy-text.ts';

/** How long "Copied" is shown. Milliseconds. */
const CONFIRMATION_MS = 2000;

interface CopyButtonProps {
  /** The string to copy, or a function that creates it on request. */
  readonly value: string | (() => string);
  /** Accessible name of the button, such as "Copy API key". */
  readonly label: string;
  /** True to show the label next to the icon. */
  readonly withText?: boolean;
  /** True if there is nothing to copy yet. */
  readonly disabled?: boolean;
}

/** Copies a string and shows a confirmation for two seconds. */
export function CopyButton({ value, label, withText = false, disabled = false }: CopyButtonProps) {
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
  const name = outcome === undefined ? label : outcome === 'copied' ? 'Copied' : 'Copying failed';
  const Icon = outcome === undefined ? IconCopy : outcome === 'copied' ? IconCheck : IconX;
  const colour =
    outcome === undefined ? 'gray' : outcome === 'copied' ? 'var(--tone-green-text)' : 'var(--tone-red-text)';
  const announcement = (
    <span role="status" className="visually-hidden">
      {outcome === undefined ? '' : name}
    </span>
  );
  if (withText) {
    return (
      <>
        <Button
          size="xs"
          variant="default"
          aria-label={name}
          disabled={disabled}
          leftSection={<Icon size={14} aria-hidden color={outcome === undefined ? 'currentColor' : colour} />}
          onClick={copy}
        >
          {outcome === undefined ? 'Copy' : name}
        </Button>
        {announcement}
      </>
    );
  }
  return (
    <>
      <Tooltip label={name}>
        <ActionIcon variant="subtle" color={colour} aria-label={name} disabled={disabled} onClick={copy}>
          <Icon size={16} aria-hidden />
        </ActionIcon>
      </Tooltip>
      {announcement}
    </>
  );
}
