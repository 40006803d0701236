import express, { type ErrorRequestHandler } from 'express';
import { OrderBook } from './order-book.ts';
import { PriceList } from './price-list.ts';
import { ProductTable } from './product-table.ts';

const products = new ProductTable();
const prices = new PriceList(products);
const orders = new OrderBook(prices);

export const app = express();
app.use(express.json());

app.get('/shops/:shop/products', async (req, res) => {
  res.json(await products.offeredBy(req.params.shop));
});

app.put('/products/:id', async (req, res) => {
  const product = await products.update(req.params.id, req.body);
  prices.forget(product.id);
  res.json(product);
});

app.post('/shops/:shop/orders', async (req, res) => {
  res.status(201).json(await orders.add(req.params.shop, req.body));
});

const failed: ErrorRequestHandler = (error, _req, res, _next) => {
  res.status(error.status ?? 500).json({ error: error.message });
};
app.use(failed);
