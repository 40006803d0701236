import { kiosk } from './src/kiosk.ts';

await kiosk().listen({ port: Number(process.env.PORT), host: '127.0.0.1' });
