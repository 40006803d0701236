import express from 'express';
import { findPhoto } from './lib/search.mjs';
import { hasCollection } from './lib/storage.mjs';

const app = express();

app.get('/collections/:name/photos/:id', async (req, res) => {
  const { name, id } = req.params;
  if (!hasCollection(name)) return res.status(404).json({ error: 'unknown collection' });
  const photo = await findPhoto(name, id);
  if (!photo) return res.status(404).json({ error: 'photo not found' });
  res.json({ collection: name, ...photo });
});

app.use((err, req, res, next) => {
  res.status(500).json({ error: err.message });
});

app.listen(process.env.PORT, '127.0.0.1', () => console.log('listening'));
