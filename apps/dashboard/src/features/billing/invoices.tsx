import { Anchor, Button, Text, Title } from '@mantine/core';
import type { Invoice } from '@throughline/contract';
import { useAction } from '../../shell/use-action.ts';
import { saveFile } from '../../ui/copying/save-file.ts';
import { ErrorNotice } from '../../ui/feedback/error-notice.tsx';
import { CardsSkeleton } from '../../ui/feedback/skeletons.tsx';
import { SearchedTable } from '../../ui/tables/searched-table.tsx';
import type { TableColumn } from '../../ui/tables/table-column.ts';
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

/** Width of the list in pixels below which each invoice is a card, not a table row. */
const CARDS_PX = 560;

const COLUMNS: readonly TableColumn<Invoice>[] = [
  {
    name: 'Date',
    kind: 'time',
    value: ({ at }) => Date.parse(at),
    searched: ({ at }) => formatDay(at),
    cell: ({ at }) => formatDay(at),
  },
  {
    name: 'Number',
    kind: 'text',
    card: 'title',
    value: ({ number }) => number,
    cell: ({ number }) => <span className="mono">{number}</span>,
  },
  {
    name: 'Description',
    kind: 'text',
    wraps: true,
    value: ({ description }) => description,
    cell: ({ description }) => <NoBreakDates>{description}</NoBreakDates>,
  },
  {
    name: 'Amount',
    kind: 'number',
    value: ({ amount }) => amount,
    searched: ({ amount }) => formatDollars(amount),
    cell: ({ amount }) => formatDollars(amount),
  },
  { name: 'Status', kind: 'text', value: ({ status }) => status, cell: ({ status }) => status },
  { name: 'Document', cell: (invoice) => <InvoiceDocument invoice={invoice} /> },
];

function InvoiceTable({ invoices }: { readonly invoices: readonly Invoice[] }) {
  return (
    <SearchedTable
      id="invoices"
      label="All invoices"
      what="invoices"
      columns={COLUMNS}
      rows={invoices}
      getKey={({ id }) => id}
      usualSort={{ column: 'date', order: 'descending' }}
      cardsBelow={CARDS_PX}
    />
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
