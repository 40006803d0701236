import { build } from './src/build.ts';

await build().listen({ port: Number(process.env.PORT), host: '127.0.0.1' });
