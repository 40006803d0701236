import { importCard } from './import-card.mjs';

const card = {
  type: 'object',
  required: ['name', 'contact'],
  properties: { name: { type: 'string', minLength: 2 }, contact: { type: 'string', maxLength: 2000 } },
};

export async function contactsPlugin(app) {
  app.post('/:year/cards', { schema: { body: card } }, async (request) => {
    const year = Number(request.params.year);
    return importCard(year, request.body);
  });
}
