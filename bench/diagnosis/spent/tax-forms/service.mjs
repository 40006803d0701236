import { createTaxServer } from './src/server.mjs';

createTaxServer().listen(Number(process.env.PORT), '127.0.0.1');
