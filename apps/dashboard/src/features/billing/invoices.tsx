import { Anchor, Button, Table, Text, Title } from '@mantine/core';
import type { Invoice } from '@throughline/contract';
import { useAction } from '../../shell/use-action.ts';
import { saveFile } from '../../ui/copying/save-file.ts';
import { ErrorNotice } from '../../ui/feedback/error-notice.tsx';
import { CardsSkeleton } from '../../ui/feedback/skeletons.tsx';
import { WideTable } from '../../ui/tables/wide-table.tsx';
import classes from './billing.module.css';
import { NoBreakDates } from './no-break-dates.tsx';
import { formatDay, formatDollars } from './plan/subscription-texts.ts';
import { useBillingCalls, useInvoices } from './queries.ts';

/** List of invoices, newest first, each with its PDF. */
export function InvoiceList() {
  const invoices = useInvoices();
  return (
    <section aria-label="Invoices" className={classes.section}>
      <Title order={2} size="h3">
        Invoices
      </Title>
      {invoices.isPending && <CardsSkeleton what="invoices" cards={1} />}
      {invoices.isError && (
        <ErrorNotice
          what="The invoices could not be loaded."
          error={invoices.error}
          onRetry={() => void invoices.refetch()}
          retrying={invoices.isFetching}
        />
      )}
      {invoices.data?.length === 0 && (
        <Text size="sm" c="dimmed">
          No invoices yet
        </Text>
      )}
      {invoices.data !== undefined && invoices.data.length > 0 && <InvoiceTable invoices={invoices.data} />}
    </section>
  );
}

function InvoiceTable({ invoices }: { readonly invoices: readonly Invoice[] }) {
  return (
    <WideTable label="All invoices" minWidth={560}>
      <Table>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Date</Table.Th>
            <Table.Th>Number</Table.Th>
            <Table.Th>Description</Table.Th>
            <Table.Th ta="right">Amount</Table.Th>
            <Table.Th>Status</Table.Th>
            <Table.Th>Document</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {invoices.map((invoice) => (
            <Table.Tr key={invoice.id}>
              <Table.Td className={`figures ${classes.whole}`}>{formatDay(invoice.at)}</Table.Td>
              <Table.Td className={`mono ${classes.whole}`}>{invoice.number}</Table.Td>
              <Table.Td>
                <NoBreakDates>{invoice.description}</NoBreakDates>
              </Table.Td>
              <Table.Td ta="right" className="figures">
                {formatDollars(invoice.amount)}
              </Table.Td>
              <Table.Td>{invoice.status}</Table.Td>
              <Table.Td>
                <InvoiceDocument invoice={invoice} />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </WideTable>
  );
}

function InvoiceDocument({ invoice: { id, number, pdfUrl } }: { readonly invoice: Invoice }) {
  const calls = useBillingCalls();
  const saving = useAction({
    failure: `The PDF of ${number} could not be loaded.`,
    notifies: true,
    mutationFn: async () => (await calls.invoicePdf(id)).blob(),
    onSuccess: (pdf) => saveFile(pdf, `${number}.pdf`),
  });
  if (pdfUrl !== null) {
    return (
      <Anchor href={pdfUrl} target="_blank" rel="noreferrer" size="sm" aria-label={`PDF of ${number}`}>
        PDF
      </Anchor>
    );
  }
  return (
    <Button
      size="compact-sm"
      variant="default"
      loading={saving.isPending}
      aria-label={`PDF of ${number}`}
      onClick={() => saving.mutate()}
    >
      PDF
    </Button>
  );
}
