import { TariffBook } from '../tariffs/tariff-book.mjs';
import { priceSession, computeUsage } from './pricing.mjs';
import { findSession } from './store.mjs';

export async function sessionRoutes(app) {
  const tariffs = new TariffBook();

  app.post('/:id/stop', async (request) => {
    const session = await findSession(request.params.id);
    const usage = computeUsage(session, request.body);
    const tariff = await tariffs.tariffOf(session.operator);
    const receipt = priceSession(usage, tariff);
    return { session: session.id, driver: session.driver, station: session.station, ...usage, receipt, closedBy: request.body.reason };
  });
}
