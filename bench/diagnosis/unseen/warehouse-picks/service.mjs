import { createServer } from 'node:http';
import { listener } from './src/app.ts';

createServer(listener).listen(Number(process.env.PORT), '127.0.0.1');
