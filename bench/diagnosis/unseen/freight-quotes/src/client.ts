import { requestRate, type Shipment } from './carrier-api.ts';
import { retry } from './retry.ts';

export function rateOf(shipment: Shipment): Promise<number> {
  return retry(() => requestRate(shipment), 4);
}
