import { startServer } from './src/http.ts';

startServer(Number(process.env.PORT));
