import express from 'express';
import { listPage } from './lib/catalogue.mjs';
import { hasGenre } from './lib/store.mjs';

const app = express();

app.get('/catalogue/:genre', async (req, res) => {
  const { genre } = req.params;
  if (!(await hasGenre(genre))) return res.status(404).json({ error: 'no such genre' });
  res.json(await listPage(genre, req.query.page ?? '1'));
});

app.use((err, req, res, next) => {
  res.status(500).json({ error: err.message });
});

app.listen(process.env.PORT, '127.0.0.1', () => console.log('listening'));
