import { createServer } from 'node:http';
import { router } from './router.mjs';

createServer(router).listen(process.env.PORT, '127.0.0.1');
