import { Group, Stack, Text, TextInput } from '@mantine/core';
import { CopyTextButton } from './copy-text-button.tsx';

interface CopyFieldProps {
  readonly value: string;
  /** Accessible name of the field, such as "Invitation link". */
  readonly label: string;
  /** Accessible name of the copy button, such as "Copy invitation link". */
  readonly copyLabel: string;
  /** Text below the field. */
  readonly note?: string;
  /** True if the field takes the focus when it appears. */
  readonly autoFocus?: boolean;
}

/** A read-only field with a copy button. The focus selects the whole value. */
export function CopyField({ value, label, copyLabel, note, autoFocus = false }: CopyFieldProps) {
  return (
    <Stack gap={4}>
      <Group gap="xs" wrap="nowrap">
        <TextInput
          aria-label={label}
          readOnly
          autoFocus={autoFocus}
          value={value}
          flex={1}
          classNames={{ input: 'mono' }}
          onFocus={(event) => event.currentTarget.select()}
        />
        <CopyTextButton value={value} label={copyLabel} />
      </Group>
      {note !== undefined && (
        <Text size="xs" c="dimmed">
          {note}
        </Text>
      )}
    </Stack>
  );
}
