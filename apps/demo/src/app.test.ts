import { pickRows } from '@throughline/testkit/thorough';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { SEED_CUSTOMERS, SEED_PASSWORD } from './database/customers.ts';
import { startTestServer, type TestServer } from './test-server.ts';
import type { ShopClient } from './traffic/shop-client.ts';

let shop: TestServer;
beforeAll(async () => {
  shop = await startTestServer();
});
afterAll(() => shop.stop());

async function signedIn(email = 'ada.okafor@example.com'): Promise<ShopClient> {
  const visitor = shop.visitor();
  expect(await visitor.signIn(email, SEED_PASSWORD)).toBe(true);
  return visitor;
}

const goodCard = { number: '4242 4242 4242 4242', expiry: '11/29', cvc: '123' };

it.each([
  ['/health', 200, { status: 'ok' }],
  ['/users/1', 200, { user: { id: 1, name: 'Ada Okafor', email: 'ada.okafor@example.com' } }],
  ['/users/404404', 404, { error: 'There is no user 404404' }],
  ['/users/nobody', 400, { error: 'id must be a whole number from 1 to 2147483647' }],
  ['/users?limit=0', 400, { error: 'limit must be a whole number from 1 to 100' }],
  ['/posts/1', 200, { post: { title: 'How we roast', author: 'Ada Okafor', readingMinutes: 1 } }],
  ['/posts/77', 404, { error: 'There is no post 77' }],
  ['/products?category=tea&search=MATCHA', 200, { products: [{ name: 'Matcha, 30 g' }] }],
  ["/products?search=%25'%20OR%20true", 200, { products: [] }],
  ['/products/9001', 404, { error: 'There is no product 9001' }],
  ['/cart', 401, { error: 'Sign in first' }],
  ['/orders/1', 401, { error: 'Sign in first' }],
  ['/nowhere', 404, { error: 'There is no GET /nowhere' }],
])('GET %s responds with %i', async (path, status, body) => {
  expect(await shop.visitor().get(path)).toMatchObject({ status, body });
});

it('the list of users has the requested length, and the list of posts has five posts by default', async () => {
  expect(await shop.visitor().get('/users?limit=3')).toMatchObject({ body: { users: { length: 3 } } });
  expect(await shop.visitor().get('/posts')).toMatchObject({ body: { posts: { length: 5 } } });
});

it('the report contains the sales of each day', async () => {
  const { status, body } = await shop.visitor().get('/reports/sales?days=3');
  expect(status).toBe(200);
  expect(body).toMatchObject({ sales: [{ daysAgo: 0 }, { daysAgo: 1, orders: 223 }, { daysAgo: 2 }] });
});

it('a visitor can register an email address only once, and can then sign in', async () => {
  const registration = {
    name: '山田 花子',
    email: 'Hanako@example.org',
    password: 'a long one',
    country: 'DE',
  };
  expect(await shop.visitor().post('/users', registration)).toMatchObject({
    status: 201,
    body: { user: { name: '山田 花子', email: 'hanako@example.org' } },
  });
  expect(await shop.visitor().post('/users', registration)).toMatchObject({ status: 409 });
  expect(await shop.visitor().signIn('hanako@example.org', 'a long one')).toBe(true);
});

it.each([
  [{}, 'name is required'],
  [
    { name: 'A', email: 'no address', password: 'long enough', country: 'DE' },
    'email must be an e-mail address',
  ],
  [
    { name: 'A', email: 'a@b.c', password: 'short', country: 'DE' },
    'password must be at least 8 characters long',
  ],
  [{ name: 'A', email: 'a@b.c', password: 7, country: 'DE' }, 'password is required'],
  [[], 'name is required'],
])('the registration %j is rejected with 400', async (registration, error) => {
  const answer = await shop.visitor().post('/users', registration);
  expect(answer.status).toBe(400);
  expect(answer.body).toEqual({ error });
});

it('a visitor cannot sign in with a wrong password or an unknown email address', async () => {
  expect(await shop.visitor().signIn('ada.okafor@example.com', 'wrong')).toBe(false);
  expect(await shop.visitor().signIn('nobody@example.com', SEED_PASSWORD)).toBe(false);
});

it('a checkout applies price, discount and tax, reduces the stock and writes a receipt', async () => {
  const visitor = await signedIn('bjorn.okafor@example.com');
  await visitor.post('/cart/items', { productId: 1, quantity: 6 });
  const bought = await visitor.post('/checkout', { card: goodCard, coupon: 'WELCOME10' });
  expect(bought.status).toBe(201);
  // The sum is 6 × 8.90, less 5 % for the quantity. The discounts from this sum are 3 % for silver and 10 % for the coupon.
  expect(bought.body).toMatchObject({ order: { discountCents: 659, netCents: 4414 } });
  const [product] = await shop.database.query<{ stock: number }>('SELECT stock FROM products WHERE id = 1');
  expect(product?.stock).toBe(194);
  const receipts = await shop.database.query<{ text: string }>('SELECT text FROM receipts');
  expect(receipts).toHaveLength(1);
  expect(receipts[0]?.text).toContain('6 × Espresso cup');
  expect(await visitor.get('/cart')).toMatchObject({ body: { items: [] } });
});

it('an order is shown only to its customer', async () => {
  const buyer = await signedIn();
  await buyer.post('/cart/items', { productId: 2 });
  const { body } = await buyer.post('/checkout', { card: goodCard });
  const { order } = body as { order: { id: number } };
  expect(await buyer.get(`/orders/${order.id}`)).toMatchObject({ status: 200, body: { order } });
  const other = await signedIn('grace.okafor@example.com');
  expect(await other.get(`/orders/${order.id}`)).toMatchObject({ status: 404 });
});

it.each([
  ['an empty cart', null, { card: goodCard }, 400, 'Your cart is empty'],
  ['no card', 4, {}, 400, 'number is required'],
  ['an unknown coupon', 4, { card: goodCard, coupon: 'FREE' }, 400, 'There is no coupon FREE'],
  [
    'a mistyped card',
    4,
    { card: { ...goodCard, number: '4242 4242 4242 4243' } },
    402,
    'The card was declined',
  ],
  ['a sold-out product', 3, { card: goodCard }, 409, 'Hand grinder is sold out'],
])(
  'a checkout with %s is rejected and leaves the stock unchanged',
  async (_what, productId, body, status, error) => {
    const visitor = await signedIn('chloe.okafor@example.com');
    await shop.database.query('DELETE FROM cart_items');
    await shop.database.query('UPDATE products SET stock = 0 WHERE id = 3');
    if (productId !== null) await visitor.post('/cart/items', { productId });
    const stock = () => shop.database.query('SELECT stock FROM products ORDER BY id');
    const before = await stock();
    expect(await visitor.post('/checkout', body)).toEqual({ status, body: { error } });
    expect(await stock()).toEqual(before);
    await shop.database.query('DELETE FROM cart_items');
  },
);

it('a product that runs low is reordered, and is not oversold when three customers buy it at the same time', async () => {
  await shop.database.query('UPDATE products SET stock = 41 WHERE id = 9');
  const visitors = await Promise.all(
    ['ada', 'bjorn', 'grace'].map((name) => signedIn(`${name}.muller@example.com`)),
  );
  await Promise.all(visitors.map((visitor) => visitor.post('/cart/items', { productId: 9, quantity: 20 })));
  const answers = await Promise.all(visitors.map((visitor) => visitor.post('/checkout', { card: goodCard })));
  expect(answers.map(({ status }) => status)).toEqual([201, 201, 201]);
  const [product] = await shop.database.query<{ stock: number }>('SELECT stock FROM products WHERE id = 9');
  expect(product?.stock).toBe(41 + 200 - 60);
});

it('a checkout fails only for customers imported from the old shop, whose country is "UK"', async () => {
  const statuses = new Map<string, number>();
  const customers = pickRows(SEED_CUSTOMERS, { usually: 10 });
  for (const { email } of customers) {
    const visitor = await signedIn(email);
    await visitor.post('/cart/items', { productId: 20 });
    statuses.set(email, (await visitor.post('/checkout', { card: goodCard })).status);
  }
  const failed = customers.filter(({ email }) => statuses.get(email) === 500);
  expect(failed).toEqual(customers.filter(({ country }) => country === 'UK'));
  expect(failed.length).toBeGreaterThan(0);
  expect(SEED_CUSTOMERS.filter(({ country }) => country === 'UK')).toHaveLength(SEED_CUSTOMERS.length / 8);
  expect([...statuses.values()].filter((status) => status !== 500)).toEqual(
    Array.from({ length: customers.length - failed.length }, () => 201),
  );
});
