import { buildServer } from './src/server.ts';

await buildServer().listen({ port: Number(process.env.PORT), host: '127.0.0.1' });
