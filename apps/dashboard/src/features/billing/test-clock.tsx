import { Button, Group, Text, Title } from '@mantine/core';
import type { Subscription } from '@throughline/contract';
import classes from './billing.module.css';
import { useTestClock } from './queries.ts';

/** Development only, with the payment sandbox: simulates the end of the billing period. */
export function TestClock({ subscription }: { readonly subscription: Subscription }) {
  const clock = useTestClock();
  const jump = (payment: 'succeeds' | 'fails') => ({
    loading: clock.isPending && clock.variables === payment,
    onClick: () => clock.mutate(payment),
  });
  const isTrial = subscription.status === 'trialing';
  return (
    <section aria-label="Test clock" className={classes.section}>
      <Title order={2} size="h3">
        Test clock
      </Title>
      <Text size="sm" c="dimmed">
        Development only: ends the current period of this subscription now.
      </Text>
      <Group gap="xs">
        <Button variant="default" {...jump('succeeds')}>
          {isTrial ? 'End the trial' : 'End the current period'}
        </Button>
        {!isTrial && !subscription.cancelAtPeriodEnd && (
          <Button variant="default" {...jump('fails')}>
            {subscription.status === 'past_due'
              ? 'End the grace period'
              : 'End the period with a failed payment'}
          </Button>
        )}
      </Group>
    </section>
  );
}
