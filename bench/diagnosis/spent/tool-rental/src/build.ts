import fastify from 'fastify';
import { CustomerStore } from './customer-store.ts';
import { OverdueReport } from './overdue-report.ts';
import { RentalStore } from './rental-store.ts';

export function build() {
  const app = fastify();
  const customers = new CustomerStore();
  const rentals = new RentalStore();
  const report = new OverdueReport(rentals, customers);

  app.get<{ Params: { id: string } }>('/customers/:id', async ({ params }) => ({
    ...(await customers.find(params.id)),
    rentals: (await rentals.ofCustomer(params.id)).length,
  }));

  app.get<{ Params: { branch: string }; Querystring: { on: string } }>(
    '/branches/:branch/overdue',
    ({ params, query }) => report.forBranch(params.branch, query.on)
  );

  return app;
}
