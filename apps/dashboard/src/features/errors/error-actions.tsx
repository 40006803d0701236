import { Button, Group, Menu } from '@mantine/core';
import { IconCheck, IconChevronDown } from '@tabler/icons-react';
import type { ErrorGroup } from '@throughline/contract';
import { escapeControlCharacters } from '@throughline/contract/captured';
import { useUpdateError } from './queries.ts';

interface ErrorActionsProps {
  readonly projectId: string;
  readonly error: ErrorGroup;
}

/** Buttons that resolve, ignore or reopen an error. */
export function ErrorActions({ projectId, error }: ErrorActionsProps) {
  const update = useUpdateError(projectId, error.id, 'The error could not be changed.');
  const decide = (state: 'open' | 'resolved' | 'ignored', inNextRelease = false) =>
    update.mutate({ state, inNextRelease });
  if (error.state === 'resolved' || error.state === 'ignored') {
    return (
      <Button size="compact-sm" variant="default" loading={update.isPending} onClick={() => decide('open')}>
        Reopen
      </Button>
    );
  }
  return (
    <Group gap="xs">
      <Menu position="bottom-start">
        <Menu.Target>
          <Button
            size="compact-sm"
            variant="default"
            loading={update.isPending}
            leftSection={<IconCheck size={14} aria-hidden />}
            rightSection={<IconChevronDown size={14} aria-hidden />}
          >
            Resolve
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => decide('resolved')}>Resolved now</Menu.Item>
          {error.lastRelease !== '' && (
            <Menu.Item onClick={() => decide('resolved', true)}>
              Resolved in the release after {escapeControlCharacters(error.lastRelease)}
            </Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
      <Button
        size="compact-sm"
        variant="default"
        disabled={update.isPending}
        onClick={() => decide('ignored')}
      >
        Ignore
      </Button>
    </Group>
  );
}
