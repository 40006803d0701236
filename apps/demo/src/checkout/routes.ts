import { Router } from 'express';
import { getCustomer, requireCustomer } from '../accounts/authenticate.ts';
import type { Database } from '../database/database.ts';
import { MAX_ID, readFields, readInteger, readText } from '../input.ts';
import { addToCart, loadCart } from './cart.ts';
import { checkout } from './checkout.ts';
import { findOrder, readOrderHistory } from './orders.ts';
import { type Card, readCard } from './payment.ts';

export function checkoutRoutes(database: Database): Router {
  const routes = Router();
  const authenticate = requireCustomer(database);
  routes.get('/cart', authenticate, async (request, response) => {
    response.json({ items: await loadCart(database, getCustomer(request).id) });
  });
  routes.post('/cart/items', authenticate, async (request, response) => {
    const { productId, quantity } = readFields(request.body);
    const items = await addToCart(database, getCustomer(request).id, {
      productId: readInteger(productId, 'productId', { min: 1, max: MAX_ID }),
      quantity: readInteger(quantity, 'quantity', { min: 1, max: 20, fallback: 1 }),
    });
    response.status(201).json({ items });
  });
  routes.post('/checkout', authenticate, async (request, response) => {
    const customer = getCustomer(request);
    const order = await checkout(database, customer, readPaymentChoice(request.body));
    response.status(201).json({ order });
  });
  routes.get('/orders', authenticate, async (request, response) => {
    response.json(await readOrderHistory(database, getCustomer(request).id));
  });
  routes.get('/orders/:id', authenticate, async (request, response) => {
    const id = readInteger(request.params.id, 'id', { min: 1, max: MAX_ID });
    response.json({ order: await findOrder(database, getCustomer(request).id, id) });
  });
  return routes;
}

function readPaymentChoice(body: unknown): { card: Card; coupon: string | undefined } {
  const { card, coupon } = readFields(body);
  return { card: readCard(card), coupon: coupon === undefined ? undefined : readText(coupon, 'coupon') };
}
