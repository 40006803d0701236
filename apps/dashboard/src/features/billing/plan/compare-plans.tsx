import { Title } from '@mantine/core';
import {
  computePrice,
  formatLimit,
  getLimit,
  listPlansOfKind,
  type PlanId,
  type PlanKind,
  type PlanLimit,
} from '@throughline/contract';
import { DataTable } from '../../../ui/tables/data-table.tsx';
import type { TableColumn } from '../../../ui/tables/table-column.ts';
import classes from '../billing.module.css';
import { formatDollars } from './subscription-texts.ts';

const ROWS: readonly { readonly label: string; readonly gate: PlanLimit }[] = [
  { label: 'Team members', gate: 'members' },
  { label: 'Projects', gate: 'projects' },
  { label: 'Traces', gate: 'traces' },
  { label: 'Retention', gate: 'retention' },
];

interface ComparePlansProps {
  readonly current: PlanId;
  readonly kind: PlanKind;
  readonly withPrices: boolean;
}

/** If the table is narrower than this, in pixels, each row becomes a card with one line for each plan. */
const CARDS_PX = 560;

interface PlanFact {
  readonly label: string;
  readonly describe: (plan: PlanId) => string;
}

const PRICES: readonly PlanFact[] = [
  { label: 'Monthly price', describe: (plan) => formatDollars(computePrice(plan, 'monthly')) },
  { label: 'Yearly price', describe: (plan) => formatDollars(computePrice(plan, 'yearly')) },
];

/** Table of all plans for the account's type. It has a few fixed rows, and is neither sorted nor searched. */
export function ComparePlans({ current, kind, withPrices }: ComparePlansProps) {
  const plans = listPlansOfKind(kind);
  const facts: readonly PlanFact[] = [
    ...(withPrices ? PRICES : []),
    ...ROWS.map(({ label, gate }) => ({
      label,
      describe: (plan: PlanId) => formatLimit(gate, getLimit(gate, plan)),
    })),
    {
      label: 'AI insights',
      describe: (plan) => (plans.find(({ id }) => id === plan)?.aiInsights === true ? 'Yes' : 'No'),
    },
  ];
  const columns: readonly TableColumn<PlanFact>[] = [
    { name: 'Limit', hiddenHead: true, card: 'title', isRowHeading: true, cell: ({ label }) => label },
    ...plans.map(({ id, name }) => ({
      name: id === current ? `${name} (current)` : name,
      wraps: true,
      cell: ({ describe }: PlanFact) => describe(id),
    })),
  ];
  return (
    <section aria-label="Compare plans" className={classes.section}>
      <Title order={2} size="h3">
        Compare plans
      </Title>
      <DataTable
        label="All plans"
        columns={columns}
        rows={facts}
        getKey={({ label }) => label}
        sort={undefined}
        onSort={() => undefined}
        cardsBelow={CARDS_PX}
      />
    </section>
  );
}
