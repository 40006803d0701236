import { createServer } from 'node:http';
import { BloodBank } from './bank/blood-bank.mjs';
import { Stock } from './bank/stock.mjs';
import { createApi } from './web/api.mjs';

const bank = new BloodBank(new Stock());
createServer(createApi(bank)).listen(Number(process.env.PORT), '127.0.0.1');
