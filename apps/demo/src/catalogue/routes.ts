import { Router } from 'express';
import type { Database } from '../database/database.ts';
import { MAX_ID, readInteger } from '../input.ts';
import { findProduct, searchProducts } from './products.ts';

export function catalogueRoutes(database: Database): Router {
  const routes = Router();
  routes.get('/products', async (request, response) => {
    const { category, search } = request.query;
    const products = await searchProducts(database, {
      category: typeof category === 'string' ? category : undefined,
      search: typeof search === 'string' ? search : undefined,
    });
    response.json({ products });
  });
  routes.get('/products/:id', async (request, response) => {
    const id = readInteger(request.params.id, 'id', { min: 1, max: MAX_ID });
    response.json({ product: await findProduct(database, id) });
  });
  return routes;
}
