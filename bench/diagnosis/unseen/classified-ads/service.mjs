import { createServer } from 'node:http';
import { app } from './ads/app.ts';

createServer(app).listen(Number(process.env.PORT), '127.0.0.1');
