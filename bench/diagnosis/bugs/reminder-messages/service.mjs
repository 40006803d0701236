import express from 'express';
import { setTimeout as sleep } from 'node:timers/promises';
import { render } from './lib/template.mjs';

const app = express();
app.use(express.json());

const templates = new Map([
  ['checkup', 'Dear {{name}},\nyour checkup is on {{date}}.\nDr. Weiss'],
  ['cleaning', 'Hello {{name}},\ntime for a cleaning.'],
  ['invoice', 'Dear {{name}},\nplease pay {{amount}} EUR.'],
  ['moved', 'Hello {{name}},\nwe had to move you: {{date}} at {{time}}.\nSorry!'],
  ['closed', 'The practice is closed until {{date}}.'],
]);

async function loadTemplate(key) {
  await sleep(3);
  return templates.get(key) ?? null;
}

async function composeMessage(key, values) {
  const template = await loadTemplate(key);
  if (template === null) return null;
  const text = render(template, values);
  return { template: key, text, parts: Math.ceil(text.length / 160) };
}

app.post('/messages/:template', async (req, res) => {
  const message = await composeMessage(req.params.template, req.body ?? {});
  if (!message) return res.status(404).json({ error: 'unknown template' });
  res.json(message);
});

app.use((err, req, res, next) => {
  res.status(500).json({ error: err.message });
});

app.listen(process.env.PORT, '127.0.0.1', () => console.log('listening'));
