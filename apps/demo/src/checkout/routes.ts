import { Router } from 'express';
import { customerOf, requireCustomer } from '../accounts/authenticate.ts';
import type { Database } from '../database/database.ts';
import { MAX_ID, readField, readInteger, readText } from '../input.ts';
import { addToCart, loadCart } from './cart.ts';
import { checkout } from './checkout.ts';
import { findOrder } from './orders.ts';
import { readCard } from './payment.ts';

export function checkoutRoutes(database: Database): Router {
  const routes = Router();
  const authenticate = requireCustomer(database);
  routes.get('/cart', authenticate, async (request, response) => {
    response.json({ items: await loadCart(database, customerOf(request).id) });
  });
  routes.post('/cart/items', authenticate, async (request, response) => {
    const items = await addToCart(database, customerOf(request).id, {
      productId: readInteger(readField(request.body, 'productId'), 'productId', { min: 1, max: MAX_ID }),
      quantity: readInteger(readField(request.body, 'quantity'), 'quantity', {
        min: 1,
        max: 20,
        fallback: 1,
      }),
    });
    response.status(201).json({ items });
  });
  routes.post('/checkout', authenticate, async (request, response) => {
    const card = readCard(request.body);
    const hasCoupon = readField(request.body, 'coupon') !== undefined;
    const coupon = hasCoupon ? readText(request.body, 'coupon') : undefined;
    response.status(201).json({ order: await checkout(database, customerOf(request), { card, coupon }) });
  });
  routes.get('/orders/:id', authenticate, async (request, response) => {
    const id = readInteger(request.params.id, 'id', { min: 1, max: MAX_ID });
    response.json({ order: await findOrder(database, customerOf(request).id, id) });
  });
  return routes;
}
