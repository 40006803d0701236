import { start } from './src/server.ts';

start(Number(process.env.PORT));
