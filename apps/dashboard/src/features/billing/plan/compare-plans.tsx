import { Table, Title } from '@mantine/core';
import {
  computePrice,
  formatLimit,
  getLimit,
  listPlansOfKind,
  type PlanId,
  type PlanKind,
  type PlanLimit,
} from '@throughline/contract';
import { WideTable } from '../../../ui/tables/wide-table.tsx';
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

/** Table of all plans for the account's type. */
export function ComparePlans({ current, kind, withPrices }: ComparePlansProps) {
  const plans = listPlansOfKind(kind);
  return (
    <section aria-label="Compare plans" className={classes.section}>
      <Title order={2} size="h3">
        Compare plans
      </Title>
      <WideTable label="All plans" minWidth={560}>
        <Table>
          <Table.Thead>
            <Table.Tr>
              <Table.Td />
              {plans.map(({ id, name }) => (
                <Table.Th key={id} scope="col">
                  {name}
                  {id === current && ' (current)'}
                </Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {withPrices && (
              <>
                <Table.Tr>
                  <Table.Th scope="row">Monthly price</Table.Th>
                  {plans.map(({ id }) => (
                    <Table.Td key={id}>{formatDollars(computePrice(id, 'monthly'))}</Table.Td>
                  ))}
                </Table.Tr>
                <Table.Tr>
                  <Table.Th scope="row">Yearly price</Table.Th>
                  {plans.map(({ id }) => (
                    <Table.Td key={id}>{formatDollars(computePrice(id, 'yearly'))}</Table.Td>
                  ))}
                </Table.Tr>
              </>
            )}
            {ROWS.map(({ label, gate }) => (
              <Table.Tr key={gate}>
                <Table.Th scope="row">{label}</Table.Th>
                {plans.map(({ id }) => (
                  <Table.Td key={id}>{formatLimit(gate, getLimit(gate, id))}</Table.Td>
                ))}
              </Table.Tr>
            ))}
            <Table.Tr>
              <Table.Th scope="row">AI insights</Table.Th>
              {plans.map(({ id, aiInsights }) => (
                <Table.Td key={id}>{aiInsights ? 'Yes' : 'No'}</Table.Td>
              ))}
            </Table.Tr>
          </Table.Tbody>
        </Table>
      </WideTable>
    </section>
  );
}
