import { Checkbox, Group, NativeSelect, TextInput } from '@mantine/core';
import type { RuleDraft } from './rule-draft.ts';

interface QuietHoursFieldProps {
  readonly draft: RuleDraft;
  readonly onChange: (part: Partial<RuleDraft>) => void;
}

/** Fields for the quiet hours of an alert rule: the daily hours during which the rule sends no messages. */
export function QuietHoursField({ draft, onChange }: QuietHoursFieldProps) {
  const zones = Intl.supportedValuesOf('timeZone');
  return (
    <>
      <Checkbox
        label="Quiet hours"
        description="Messages wait until quiet hours end. If an incident ends before that, no message is sent."
        checked={draft.quiet}
        onChange={({ currentTarget }) => onChange({ quiet: currentTarget.checked })}
      />
      {draft.quiet && (
        <Group align="flex-start" gap="sm">
          <TextInput
            label="From"
            type="time"
            w={120}
            value={draft.quietFrom}
            onChange={({ currentTarget }) => onChange({ quietFrom: currentTarget.value })}
          />
          <TextInput
            label="To"
            type="time"
            w={120}
            value={draft.quietUntil}
            onChange={({ currentTarget }) => onChange({ quietUntil: currentTarget.value })}
          />
          <NativeSelect
            label="Time zone"
            flex="1 1 180px"
            value={draft.timeZone}
            data={zones.includes(draft.timeZone) ? zones : [draft.timeZone, ...zones]}
            onChange={({ currentTarget }) => onChange({ timeZone: currentTarget.value })}
          />
        </Group>
      )}
    </>
  );
}
