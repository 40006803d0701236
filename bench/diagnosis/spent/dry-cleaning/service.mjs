import { createServer } from 'node:http';
import { app } from './app/app.ts';

createServer(app).listen(Number(process.env.PORT), '127.0.0.1');
