import { Router } from 'express';
import type { Database } from '../database/database.ts';
import { readInteger } from '../input.ts';
import { salesReport } from './sales.ts';

export function reportRoutes(database: Database): Router {
  const routes = Router();
  routes.get('/reports/sales', async (request, response) => {
    const days = readInteger(request.query.days, 'days', { min: 1, max: 180, fallback: 7 });
    response.json({ sales: await salesReport(database, days) });
  });
  return routes;
}
