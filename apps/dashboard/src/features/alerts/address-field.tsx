import { Button, Group, Input, Text, TextInput } from '@mantine/core';

interface AddressFieldProps {
  readonly label: string;
  /** Only the beginning of the stored URL, because the whole URL is a secret; null if no URL is stored. */
  readonly storedUrl: string | null;
  /** Undefined keeps the stored URL; null removes the stored URL. */
  readonly value: string | null | undefined;
  readonly onChange: (value: string | null | undefined) => void;
}

/** Field for a URL that is never shown in full after saving. The user keeps, replaces or removes the stored URL. */
export function AddressField({ label, storedUrl, value, onChange }: AddressFieldProps) {
  if (storedUrl !== null && value === undefined) {
    return (
      <Input.Wrapper label={label} labelElement="div">
        <Group gap="xs">
          <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
            {storedUrl}
          </Text>
          <Button size="compact-sm" variant="default" onClick={() => onChange('')}>
            Replace<span className="visually-hidden"> the {label}</span>
          </Button>
          <Button size="compact-sm" variant="default" onClick={() => onChange(null)}>
            Remove<span className="visually-hidden"> the {label}</span>
          </Button>
        </Group>
      </Input.Wrapper>
    );
  }
  return (
    <TextInput
      label={label}
      type="url"
      placeholder="https://"
      description={storedUrl !== null ? 'Leave empty to remove the URL' : undefined}
      value={value ?? ''}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  );
}
