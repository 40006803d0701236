import { NativeSelect } from '@mantine/core';
import type { ErrorDetail, ErrorGroup } from '@throughline/contract';
import { useUpdateError } from './queries.ts';

interface AssigneeSelectProps {
  readonly projectId: string;
  readonly error: ErrorGroup;
  readonly assignable: ErrorDetail['assignable'];
}

/** Drop-down list that assigns an error to a person. */
export function AssigneeSelect({ projectId, error, assignable }: AssigneeSelectProps) {
  const update = useUpdateError(projectId, error.id, 'The error could not be assigned.');
  return (
    <NativeSelect
      aria-label="Assignee"
      size="xs"
      data={[
        { value: '', label: 'Not assigned' },
        ...assignable.map(({ id, name, email }) => ({
          value: id,
          label: assignable.some((other) => other.id !== id && other.name === name)
            ? `${name} (${email})`
            : name,
        })),
      ]}
      value={error.assignee?.id ?? ''}
      disabled={update.isPending}
      onChange={({ currentTarget: { value } }) => update.mutate({ assignee: value === '' ? null : value })}
    />
  );
}
