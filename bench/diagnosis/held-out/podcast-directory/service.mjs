import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
require('./app.cjs').listen(process.env.PORT, '127.0.0.1');
