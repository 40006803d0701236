import { createApp } from './src/app.ts';

const app = createApp();
await app.listen({ port: Number(process.env.PORT), host: '127.0.0.1' });
