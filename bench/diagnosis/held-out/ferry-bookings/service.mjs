import { buildApp } from './src/app.ts';

await buildApp().listen({ port: Number(process.env.PORT), host: '127.0.0.1' });
