import { ActionIcon, Tooltip } from '@mantine/core';
import { type CopiedValue, useCopy } from './use-copy.tsx';

interface CopyButtonProps {
  readonly value: CopiedValue;
  /** Accessible name and tooltip of the button, such as "Copy stack". */
  readonly label: string;
}

/** Copies a string. Shows only an icon. */
export function CopyButton({ value, label }: CopyButtonProps) {
  const { copy, name, Icon, colour = 'gray', announcement } = useCopy(value, label);
  return (
    <>
      <Tooltip label={name}>
        <ActionIcon variant="subtle" color={colour} aria-label={name} onClick={copy}>
          <Icon size={16} aria-hidden />
        </ActionIcon>
      </Tooltip>
      {announcement}
    </>
  );
}
