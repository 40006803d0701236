import { Button } from '@mantine/core';
import { type CopiedValue, useCopy } from './use-copy.tsx';

interface CopyTextButtonProps {
  readonly value: CopiedValue;
  /** Accessible name of the button, such as "Copy API key". */
  readonly label: string;
  /** The text on the button. */
  readonly text?: string;
  /** True if there is nothing to copy yet. */
  readonly disabled?: boolean;
  readonly size?: 'xs' | 'compact-xs';
}

/** Copies a string. Shows a text beside its icon instead of a tooltip, so that the first screen need not load the tooltip's code. */
export function CopyTextButton({
  value,
  label,
  text = 'Copy',
  disabled = false,
  size = 'xs',
}: CopyTextButtonProps) {
  const { copy, isDone, name, Icon, colour = 'currentColor', announcement } = useCopy(value, label);
  return (
    <>
      <Button
        size={size}
        variant="default"
        aria-label={name}
        disabled={disabled}
        // Beside a long text, the button would otherwise shrink and cut its own label.
        flex="none"
        leftSection={<Icon size={14} aria-hidden color={colour} />}
        onClick={copy}
      >
        {isDone ? name : text}
      </Button>
      {announcement}
    </>
  );
}
