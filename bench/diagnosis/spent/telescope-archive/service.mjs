import { start } from './src/start.ts';

start(Number(process.env.PORT));
