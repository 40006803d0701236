import { createRequire } from 'node:module';

createRequire(import.meta.url)('./app/server.cjs');
