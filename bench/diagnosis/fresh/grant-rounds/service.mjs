import { createServer } from 'node:http';
import { createApi } from './api.mjs';
import { createLedger } from './ledger.mjs';
import { createRounds } from './rounds.mjs';

const api = createApi({ rounds: createRounds(), ledger: createLedger() });
createServer(api).listen(process.env.PORT, '127.0.0.1');
