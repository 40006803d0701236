import { Checkbox, Stack } from '@mantine/core';

export interface Recipient {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly confirmed: boolean;
}

interface PeopleFieldProps {
  readonly people: readonly Recipient[];
  readonly chosen: readonly string[];
  readonly onChange: (chosen: string[]) => void;
}

/** Checkboxes for the members who receive the rule's emails. */
export function PeopleField({ people, chosen, onChange }: PeopleFieldProps) {
  return (
    <Checkbox.Group label="Email to" value={[...chosen]} onChange={onChange}>
      <Stack gap="xs" mt={4}>
        {people.map(({ id, name, email, confirmed }) => (
          <Checkbox
            key={id}
            value={id}
            label={name}
            description={confirmed ? email : `${email} is not confirmed yet`}
            disabled={!confirmed && !chosen.includes(id)}
          />
        ))}
      </Stack>
    </Checkbox.Group>
  );
}
