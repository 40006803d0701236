import { Button, Group } from '@mantine/core';
import {
  type AlertRule,
  describeAlert,
  describeScope,
  formatCounted,
  type Tone,
} from '@throughline/contract';
import { escapeControlCharacters } from '@throughline/contract/captured';
import { StateTag } from '../../ui/layout/badges.tsx';
import { SearchedTable } from '../../ui/tables/searched-table.tsx';
import type { TableColumn } from '../../ui/tables/table-column.ts';
import { formatStart } from '../../ui/time/relative-time.ts';
import { ActionButton, type Outcome } from '../settings/index.ts';
import classes from './alerts.module.css';
import { useDeleteRule, useTestRule } from './queries.ts';

interface RuleRowsProps {
  readonly projectId: string;
  readonly rules: readonly AlertRule[];
  readonly mayEdit: boolean;
  readonly onEdit: (rule: AlertRule) => void;
  readonly onOutcome: (outcome: Outcome) => void;
}

/** Width of the list in pixels below which each rule is a card, not a table row. */
const CARDS_PX = 640;

/** The rules of a project's alerts, in the order in which they were created. */
export function RuleRows({ rules, ...rest }: RuleRowsProps) {
  const actions: TableColumn<AlertRule> = {
    name: 'Actions',
    hiddenHead: true,
    cell: (rule) => <RuleActions rule={rule} {...rest} />,
  };
  return (
    <SearchedTable
      id="rules"
      label="Alert rules"
      what="alerts"
      columns={rest.mayEdit ? [...COLUMNS, actions] : COLUMNS}
      rows={rules}
      getKey={({ id }) => id}
      cardsBelow={CARDS_PX}
    />
  );
}

/**
 * The columns of the list of rules. A search in the list also finds the details of a rule, which the first column shows below the title.
 */
const COLUMNS: readonly TableColumn<AlertRule>[] = [
  {
    name: 'Alert',
    kind: 'text',
    card: 'title',
    value: describeAlert,
    searched: (rule) => `${describeAlert(rule)}\n${describeDetails(rule)}`,
    cell: (rule) => (
      <>
        <div className={classes.title}>{describeAlert(rule)}</div>
        <div className={classes.dim}>{describeDetails(rule)}</div>
      </>
    ),
  },
  {
    name: 'State',
    kind: 'text',
    value: (rule) => findState(rule).text,
    cell: (rule) => {
      const { text, tone } = findState(rule);
      return <StateTag tone={tone} label={text} />;
    },
  },
];

function findState({ paused, firingSince, quietNow }: AlertRule): {
  readonly text: string;
  readonly tone: Tone;
} {
  if (paused) return { text: 'Paused', tone: 'grey' };
  const quiet = quietNow ? ', quiet' : '';
  if (firingSince === null) return { text: `OK${quiet}`, tone: 'green' };
  return { text: `Firing since ${formatStart(Date.parse(firingSince))}${quiet}`, tone: 'red' };
}

function describeDetails(rule: AlertRule): string {
  const { people, webhook, slack, quietHours } = rule;
  return [
    escapeControlCharacters(describeScope(rule)),
    people.length === 0 ? '' : `email to ${people.length === 1 ? '1 person' : `${people.length} people`}`,
    webhook === null ? '' : `webhook ${webhook}`,
    slack === null ? '' : `Slack ${slack}`,
    quietHours === null ? '' : `quiet ${quietHours.from} to ${quietHours.until} (${quietHours.timeZone})`,
  ]
    .filter((part) => part !== '')
    .join(' · ');
}

interface RuleActionsProps extends Omit<RuleRowsProps, 'rules' | 'mayEdit'> {
  readonly rule: AlertRule;
}

function RuleActions({ projectId, rule, onEdit, onOutcome }: RuleActionsProps) {
  const test = useTestRule(projectId, rule);
  const remove = useDeleteRule(projectId, rule);
  const named = <span className="visually-hidden">: {describeAlert(rule)}</span>;
  return (
    <Group gap="xs" className={classes.actions ?? ''} data-toolbar>
      <ActionButton
        size="compact-sm"
        action={test}
        done={({ deliveries }) => describeTest(deliveries.length)}
        onOutcome={onOutcome}
      >
        Test{named}
      </ActionButton>
      <Button size="compact-sm" variant="default" onClick={() => onEdit(rule)}>
        Edit{named}
      </Button>
      <ActionButton
        size="compact-sm"
        action={remove}
        done={() => ({ type: 'success', message: 'The alert was deleted.' })}
        onOutcome={onOutcome}
      >
        Delete{named}
      </ActionButton>
    </Group>
  );
}

function describeTest(messages: number): Outcome {
  if (messages === 0) return { type: 'error', message: 'This alert has no recipients left. Edit the alert.' };
  return {
    type: 'success',
    message: `Sending ${formatCounted(messages, 'test message')}. See Deliveries below.`,
  };
}
