import { Button, Checkbox, Group, NativeSelect, NumberInput, Stack, TextInput } from '@mantine/core';
import {
  ALERT_KINDS,
  ALERT_SEVERITIES,
  type AlertKind,
  type AlertRule,
  type AlertSeverity,
  hasFilter,
  hasMinutes,
  hasThreshold,
  MAX_ALERT_MINUTES,
} from '@throughline/contract';
import { type FormEvent, useState } from 'react';
import { DialogActions } from '../../ui/layout/dialog-actions.tsx';
import { AddressField } from './address-field.tsx';
import { FilterField } from './filter-field.tsx';
import { PeopleField, type Recipient } from './people-field.tsx';
import { useSaveRule } from './queries.ts';
import { QuietHoursField } from './quiet-hours-field.tsx';
import { changeKind, type RuleDraft, toBody, toDraft } from './rule-draft.ts';
import { useFilterDraft } from './use-filter-draft.ts';

const KINDS: Readonly<Record<AlertKind, string>> = {
  new_error: 'New error',
  reopened_error: 'Reopened error',
  error_rate: 'Error rate above a threshold',
  p95: 'P95 above a threshold',
  no_traffic: 'No traffic',
  insight: 'New insight',
};

const SEVERITIES: Readonly<Record<AlertSeverity, string>> = {
  high: 'High',
  medium: 'Medium or high',
  low: 'Any',
};

interface RuleFormProps {
  readonly projectId: string;
  /** Undefined for a new rule. */
  readonly rule: AlertRule | undefined;
  readonly people: readonly Recipient[];
  readonly onSaved: (secret: string | null) => void;
  readonly onCancel: () => void;
}

export function RuleForm({ projectId, rule, people, onSaved, onCancel }: RuleFormProps) {
  const [draft, setDraft] = useState<RuleDraft>(() => toDraft(rule, people));
  const save = useSaveRule(projectId, rule);
  const change = (part: Partial<RuleDraft>) => setDraft((before) => ({ ...before, ...part }));
  const { query, complete } = useFilterDraft(draft, change);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const filter = hasFilter(draft.kind) ? complete() : draft.filter;
    if (filter === undefined) return;
    save.mutate(toBody({ ...draft, filter }), { onSuccess: ({ secret }) => onSaved(secret) });
  };
  return (
    <form onSubmit={submit} noValidate aria-label="Alert">
      <Stack gap="sm">
        <NativeSelect
          label="Alert on"
          data-autofocus
          value={draft.kind}
          data={ALERT_KINDS.map((value) => ({ value, label: KINDS[value] }))}
          onChange={({ currentTarget }) => {
            const kind = ALERT_KINDS.find((one) => one === currentTarget.value);
            if (kind !== undefined) setDraft((before) => changeKind(before, kind));
          }}
        />
        {draft.kind === 'insight' && (
          <NativeSelect
            label="Severity"
            value={draft.severity}
            data={ALERT_SEVERITIES.map((value) => ({ value, label: SEVERITIES[value] }))}
            onChange={({ currentTarget }) => {
              const severity = ALERT_SEVERITIES.find((one) => one === currentTarget.value);
              if (severity !== undefined) change({ severity });
            }}
          />
        )}
        {hasMinutes(draft.kind) && (
          <Group grow align="flex-start">
            {hasThreshold(draft.kind) && (
              <NumberInput
                label={draft.kind === 'p95' ? 'Threshold (ms)' : 'Threshold (%)'}
                min={0}
                value={draft.threshold}
                onChange={(threshold) => change({ threshold })}
              />
            )}
            <NumberInput
              label="Minutes"
              min={1}
              max={MAX_ALERT_MINUTES}
              allowDecimal={false}
              value={draft.minutes}
              onChange={(minutes) => change({ minutes })}
            />
          </Group>
        )}
        <Group grow align="flex-start" preventGrowOverflow={false}>
          <TextInput
            label="Service"
            placeholder="All"
            value={draft.service}
            onChange={({ currentTarget }) => change({ service: currentTarget.value })}
          />
          <TextInput
            label="Environment"
            placeholder="All"
            value={draft.environment}
            onChange={({ currentTarget }) => change({ environment: currentTarget.value })}
          />
        </Group>
        <TextInput
          label="Endpoint"
          placeholder="All, or one such as POST /orders/:id"
          value={draft.endpoint}
          onChange={({ currentTarget }) => change({ endpoint: currentTarget.value })}
        />
        {hasFilter(draft.kind) && <FilterField projectId={projectId} draft={draft} query={query} />}
        <PeopleField
          people={people}
          chosen={draft.people}
          onChange={(chosen) => change({ people: chosen })}
        />
        <AddressField
          label="Webhook"
          storedUrl={rule?.webhook ?? null}
          value={draft.webhookUrl}
          onChange={(webhookUrl) => change({ webhookUrl })}
        />
        {rule !== undefined && rule.webhook !== null && draft.webhookUrl !== null && (
          <Checkbox
            label="Create a new signing secret"
            checked={draft.renewSecret}
            onChange={({ currentTarget }) => change({ renewSecret: currentTarget.checked })}
          />
        )}
        <AddressField
          label="Slack webhook"
          storedUrl={rule?.slack ?? null}
          value={draft.slackUrl}
          onChange={(slackUrl) => change({ slackUrl })}
        />
        <QuietHoursField draft={draft} onChange={change} />
        <Checkbox
          label="Paused"
          checked={draft.paused}
          onChange={({ currentTarget }) => change({ paused: currentTarget.checked })}
        />
        <DialogActions problem={save.problem} onCancel={onCancel}>
          <Button type="submit" loading={save.isPending}>
            {rule === undefined ? 'Create alert' : 'Save alert'}
          </Button>
        </DialogActions>
      </Stack>
    </form>
  );
}
