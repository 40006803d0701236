import { Text, Title } from '@mantine/core';
import { listFeatures, PLAN_IDS, PLANS, type Plan } from '@throughline/contract';
import { formatDollars } from '../billing/index.ts';
import { useAbout } from '../product/index.ts';
import classes from './landing.module.css';

const KINDS = { solo: 'For one developer', organization: 'For teams' } as const;

/** All plans with prices. Renders nothing if the server's operator sets the plans. */
export function PlanPrices() {
  const { data: about } = useAbout();
  if (about?.plansForSale !== true) return null;
  return (
    <section aria-labelledby="prices" className={classes.live}>
      <Title order={2} size="h3" id="prices">
        Prices
      </Title>
      <ul className={classes.features}>
        {PLAN_IDS.map((id) => (
          <PlanPrice key={id} plan={PLANS[id]} />
        ))}
      </ul>
    </section>
  );
}

function PlanPrice({ plan }: { readonly plan: Plan }) {
  const [kind, another] = plan.kinds;
  return (
    <li className={classes.feature}>
      <Title order={3} size="h3">
        {plan.name}
      </Title>
      <Text>
        <strong>{formatDollars(plan.price)}</strong> {plan.price > 0 && 'per month'}
      </Text>
      <Text size="sm" c="dimmed">
        {another === undefined && kind !== undefined ? KINDS[kind] : 'For one developer or a team'}
      </Text>
      <ul className={classes.limits}>
        {listFeatures(plan).map((feature) => (
          <li key={feature}>{feature}</li>
        ))}
      </ul>
    </li>
  );
}
