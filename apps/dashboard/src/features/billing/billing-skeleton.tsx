import { Group, Skeleton, Stack } from '@mantine/core';
import { listPlansOfKind, type PlanKind } from '@throughline/contract';
import { listPlaces, Waiting } from '../../ui/feedback/skeletons.tsx';
import classes from './billing.module.css';

const FACTS = 3;
const BARS = 3;
const COMPARED_ROWS = 8;

/** Placeholder of the billing page: current plan, usage, plan cards and plan comparison. */
export function BillingSkeleton({ kind }: { readonly kind: PlanKind }) {
  return (
    <Waiting what="billing information">
      <Stack gap="lg">
        <div className={classes.top}>
          <div className={classes.card}>
            <Skeleton height={20} width={160} />
            <Skeleton height={24} width={120} />
            <Group gap="xl">
              {listPlaces(FACTS).map((place) => (
                <Skeleton key={place} height={32} width={96} />
              ))}
            </Group>
            <Skeleton height={36} width={180} mt="auto" />
          </div>
          <div className={classes.card}>
            <Skeleton height={18} width={80} />
            {listPlaces(BARS).map((place) => (
              <div key={place} className={classes.usage}>
                <Skeleton height={12} width={110} my={4} />
                <Skeleton height={12} width={90} my={4} />
                <Skeleton height={8} className={classes.bar ?? ''} />
              </div>
            ))}
          </div>
        </div>
        <div className={classes.section}>
          <Group justify="space-between">
            <Skeleton height={18} width={60} my={9} />
            <Skeleton height={36} width={160} />
          </Group>
          <div className={classes.plans}>
            {listPlansOfKind(kind).map(({ id }) => (
              <div key={id} className={classes.plan}>
                <Skeleton height={18} width="50%" />
                <Skeleton height={24} width="40%" />
                <Skeleton height={96} />
                <Skeleton height={36} />
              </div>
            ))}
          </div>
        </div>
        <div className={classes.section}>
          <Skeleton height={18} width={120} />
          {listPlaces(COMPARED_ROWS).map((place) => (
            <Skeleton key={place} height={16} my={6} />
          ))}
        </div>
      </Stack>
    </Waiting>
  );
}
