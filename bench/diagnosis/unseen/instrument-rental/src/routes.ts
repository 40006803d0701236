import { billingAddress, customerRow } from './customers.ts';
import { rent, type RentalRequest } from './rentals.ts';

interface Route {
  method: string;
  path: RegExp;
  run(id: string, text: string): Promise<unknown>;
}

export const routes: Route[] = [
  { method: 'POST', path: /^\/rentals$/, run: (_, text) => rent(JSON.parse(text) as RentalRequest) },
  { method: 'GET', path: /^\/customers\/(\d+)$/, run: async (id) => billingAddress(await customerRow(Number(id))) },
];
