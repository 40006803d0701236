import { start } from './server/app.cjs';

start(Number(process.env.PORT));
