import { createRenewals } from './renewals.mjs';

const renewalBody = {
  type: 'object',
  required: ['months', 'method'],
  properties: {
    months: { type: 'integer', minimum: 1, maximum: 12 },
    method: { enum: ['card', 'debit', 'cash'] },
  },
};

export async function rentalRoutes(app, { store, ledger }) {
  const renewals = createRenewals({ store, ledger, clock: () => new Date() });

  app.get('/:number', async (request) => store.find(request.params.number));

  app.post('/:number/renewals', { schema: { body: renewalBody } }, async (request, reply) => {
    const receipt = await renewals.renew(request.params.number, request.body);
    reply.code(201);
    return receipt;
  });
}
