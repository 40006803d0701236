import { printShop } from './src/print-shop.ts';

await printShop().listen({ port: Number(process.env.PORT), host: '127.0.0.1' });
