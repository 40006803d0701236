import { Router } from 'express';
import { findPrice } from '../pricing.mjs';
import { catalogue } from '../catalogue.mjs';

export const parts = Router();

parts.get('/:number', async (req, res) => {
  const part = await catalogue.find(req.params.number);
  if (!part) return res.status(404).json({ error: 'unknown part' });
  res.json({ number: part.number, name: part.name, price: findPrice(part, req.settings) });
});
