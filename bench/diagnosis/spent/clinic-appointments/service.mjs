import { createClinicServer } from './src/server.mjs';

createClinicServer().listen(Number(process.env.PORT), '127.0.0.1');
