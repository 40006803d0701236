import express from 'express';
import { authenticate } from './http/authenticate.mjs';
import { onError } from './http/on-error.mjs';
import { reports } from './reports/routes.mjs';

const app = express();
app.disable('x-powered-by');
app.use(express.json({ limit: '64kb' }));
app.use(authenticate);
app.use('/reports', reports);
app.use(onError);
app.listen(process.env.PORT, '127.0.0.1');
