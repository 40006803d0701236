import { createApp } from './src/app.ts';

await createApp().listen({ port: Number(process.env.PORT), host: '127.0.0.1' });
