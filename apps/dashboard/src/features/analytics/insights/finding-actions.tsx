import { Button, Menu } from '@mantine/core';
import { IconChevronDown } from '@tabler/icons-react';
import { type Finding, type NewFindingDecision, SNOOZE_DAYS } from '@throughline/contract';
import { useDecideInsight } from '../data/queries.ts';

interface FindingActionsProps {
  readonly projectId: string;
  readonly finding: Finding;
  readonly onDecided: () => void;
}

/** Hides a finding permanently, for some days, or until it occurs again after a fix. */
export function FindingActions({ projectId, finding, onDecided }: FindingActionsProps) {
  const decide = useDecideInsight(projectId, finding.id, 'The finding could not be hidden.');
  const hide = (body: NewFindingDecision) => decide.mutate(body, { onSuccess: onDecided });
  return (
    <Menu position="bottom-start">
      <Menu.Target>
        <Button
          size="compact-sm"
          variant="default"
          loading={decide.isPending}
          rightSection={<IconChevronDown size={14} aria-hidden />}
        >
          Hide
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => hide({ state: 'fixed' })}>Fixed: hide until seen again</Menu.Item>
        {SNOOZE_DAYS.map((days) => (
          <Menu.Item key={days} onClick={() => hide({ state: 'snoozed', days })}>
            {days === 1 ? 'For a day' : `For ${days} days`}
          </Menu.Item>
        ))}
        <Menu.Item onClick={() => hide({ state: 'dismissed' })}>For good</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
