import { Button, Group, Text, Title } from '@mantine/core';
import { ALERT_DAYS, MAX_ALERT_RULES } from '@throughline/contract';
import { useState } from 'react';
import { LoadState } from '../../ui/feedback/load-state.tsx';
import { settingsStyles as classes } from '../project-settings/index.ts';
import { type Outcome, OutcomeNotice } from '../settings/index.ts';
import { DeliveryRows } from './delivery-rows.tsx';
import { Incidents } from './incidents/incidents.tsx';
import { useAlerts, useDeliveries } from './queries.ts';
import { type OpenRule, RuleDialog } from './rule-dialog.tsx';
import { RuleRows } from './rule-rows.tsx';

interface AlertsSectionProps {
  readonly projectId: string;
  readonly mayEdit: boolean;
}

/** Shows the alert rules of a project, the incidents of the rules, and the messages that were sent about the incidents. */
export function AlertsSection({ projectId, mayEdit }: AlertsSectionProps) {
  const alerts = useAlerts(projectId);
  const [open, setOpen] = useState<OpenRule>();
  const [outcome, setOutcome] = useState<Outcome>();
  const rules = alerts.data?.rules;
  return (
    <section aria-labelledby="alerts" className={classes.section}>
      <Title order={2} size="h3" id="alerts">
        Alerts
      </Title>
      <Text size="sm">
        Notify people when something goes wrong. Each incident sends one message when it begins, and one when
        it is over.
      </Text>
      <OutcomeNotice outcome={outcome} onDismiss={() => setOutcome(undefined)} />
      <LoadState query={alerts} what="alerts" failure="The alerts could not be loaded." rows={2} />
      {rules !== undefined && rules.length > 0 && (
        <RuleRows
          projectId={projectId}
          rules={rules}
          mayEdit={mayEdit}
          onEdit={(rule) => setOpen({ rule })}
          onOutcome={setOutcome}
        />
      )}
      {rules?.length === 0 && (
        <Text size="sm" c="dimmed">
          No alert is set up.
        </Text>
      )}
      {mayEdit && rules !== undefined && (
        <Group>
          <Button
            variant="default"
            disabled={rules.length >= MAX_ALERT_RULES}
            onClick={() => setOpen({ rule: undefined })}
          >
            New alert…
          </Button>
        </Group>
      )}
      {rules !== undefined && rules.length > 0 && <Incidents projectId={projectId} rules={rules} />}
      {rules !== undefined && <Deliveries projectId={projectId} hasRules={rules.length > 0} />}
      <RuleDialog
        projectId={projectId}
        people={alerts.data?.people ?? []}
        open={open}
        onClose={(isSaved) => {
          setOpen(undefined);
          if (isSaved) setOutcome({ type: 'success', message: 'The alert was saved.' });
        }}
      />
    </section>
  );
}

interface DeliveriesProps {
  readonly projectId: string;
  readonly hasRules: boolean;
}

/** Lists the messages that the project's alerts sent. Renders nothing if the project has neither alert rules nor messages. */
function Deliveries({ projectId, hasRules }: DeliveriesProps) {
  const deliveries = useDeliveries(projectId);
  const isEmpty = deliveries.data === undefined || deliveries.data.length === 0;
  if (!hasRules && isEmpty && !deliveries.isError) return null;
  return (
    <>
      <Title order={3} size="sm">
        Deliveries of the last {ALERT_DAYS} days
      </Title>
      <LoadState
        query={deliveries}
        what="deliveries"
        failure="The deliveries could not be loaded."
        rows={2}
      />
      {deliveries.data?.length === 0 && (
        <Text size="sm" c="dimmed">
          No message was sent.
        </Text>
      )}
      {deliveries.data !== undefined && deliveries.data.length > 0 && (
        <DeliveryRows deliveries={deliveries.data} />
      )}
    </>
  );
}
