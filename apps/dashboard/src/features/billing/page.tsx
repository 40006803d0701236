import { Badge, Button, Group, Stack, Text, Title } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import {
  formatCount,
  mayDo,
  nextPlan,
  PLANS,
  type Plan,
  plansOfKind,
  routes,
  UNLIMITED,
} from '@throughline/contract';
import { api, session } from '../../shell/api.ts';
import { refusalOf } from '../../shell/refusal.ts';
import { useSignedIn } from '../../shell/use-session.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { formatDate } from '../../ui/relative-time.ts';
import { CardsSkeleton } from '../../ui/skeletons.tsx';
import classes from './billing.module.css';

const TITLE = 'Billing & Subscription';

/** The organization's plan, and the others to choose from. */
export function BillingPage() {
  const { organization } = useSignedIn();
  if (organization === null || !mayDo(organization.role, 'billing.manage')) {
    return (
      <Stack>
        <PageHeader title={TITLE} />
        <EmptyState title="This page is for the owners of organizations" />
      </Stack>
    );
  }
  return <OrganizationBilling organizationId={organization.id} />;
}

function OrganizationBilling({ organizationId }: { readonly organizationId: string }) {
  const params = { id: organizationId };
  const client = useQueryClient();
  const queryKey = ['billing', organizationId];
  const subscription = useQuery({
    queryKey,
    queryFn: ({ signal }) => api.call(routes.billing.organizationSubscription, { params, signal }),
    select: (answer) => answer.subscription,
  });
  const change = useMutation({
    mutationFn: (plan: Plan) =>
      api.call(routes.billing.changeOrganizationPlan, { params, body: { plan: plan.id } }),
    onSuccess: (answer, plan) => {
      client.setQueryData(queryKey, answer);
      void session.check();
      notifications.show({ message: `Successfully upgraded to ${plan.name} plan!` });
    },
    onError: (error) => {
      const refusal = refusalOf(error);
      notifications.show({
        color: 'red',
        message:
          refusal === undefined
            ? 'Failed to upgrade plan. Please try again.'
            : `Failed to upgrade: ${refusal.message}`,
      });
    },
  });
  if (subscription.isPending) return <CardsSkeleton what="billing information" />;
  if (subscription.isError) {
    return (
      <ErrorNotice
        what="Failed to load billing information"
        error={subscription.error}
        onRetry={() => void subscription.refetch()}
        retrying={subscription.isFetching}
      />
    );
  }
  const { plan: current, status, currentPeriodEnd } = subscription.data;
  const next = nextPlan(current, 'organization');
  return (
    <Stack>
      <PageHeader title={TITLE} beside={<Badge variant="light">{status}</Badge>} />
      <Text size="sm" c="dimmed">
        {PLANS[current].name}, until {formatDate(Date.parse(currentPeriodEnd))}. Sandbox – no card is charged.
      </Text>
      <ul className={classes.plans} aria-label="Plans">
        {plansOfKind('organization').map((plan) => (
          <li key={plan.id} className={classes.plan}>
            <Group justify="space-between">
              <Title order={2} size="h3">
                {plan.name}
              </Title>
              {plan.popular && <Badge size="sm">Most popular</Badge>}
            </Group>
            <Text>
              <strong className={classes.price}>${plan.price}</strong> a month
            </Text>
            <ul className={classes.limits}>
              <li>{countOf(plan.maxMembers, 'member')}</li>
              <li>{countOf(plan.maxProjects, 'project')}</li>
              <li>{formatCount(plan.maxTracesPerMonth)} traces a month</li>
              <li>Traces kept for {keptFor(plan.retentionHours)}</li>
              {plan.aiInsights && <li>AI insights</li>}
            </ul>
            {plan.id === current ? (
              <Button variant="default" disabled>
                Current plan
              </Button>
            ) : (
              <Button
                variant={plan.id === next?.id ? 'filled' : 'default'}
                loading={change.isPending && change.variables.id === plan.id}
                onClick={() => change.mutate(plan)}
              >
                Change to {plan.name}
              </Button>
            )}
          </li>
        ))}
      </ul>
    </Stack>
  );
}

function countOf(limit: number, thing: string): string {
  if (limit === UNLIMITED) return `Unlimited ${thing}s`;
  return `${limit} ${thing}${limit === 1 ? '' : 's'}`;
}

function keptFor(hours: number): string {
  if (hours < 24) return hours === 1 ? '1 hour' : `${hours} hours`;
  return `${hours / 24} days`;
}
