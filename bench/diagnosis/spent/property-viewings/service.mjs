import { listen } from './src/server.ts';

listen(Number(process.env.PORT));
