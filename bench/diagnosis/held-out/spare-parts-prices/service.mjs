import express from 'express';
import { context } from './middleware/context.mjs';
import { parts } from './routes/parts.mjs';

const app = express();
app.use(context);
app.use('/parts', parts);
app.use((err, req, res, next) => res.status(500).json({ error: String(err.message) }));
app.listen(process.env.PORT, '127.0.0.1');
