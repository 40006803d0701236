import { createServer } from 'node:http';
import { createOffice } from './lib/office.ts';
import { handle } from './lib/http.ts';

const office = createOffice();
createServer((request, response) => void handle(office, request, response)).listen(
  Number(process.env.PORT),
  '127.0.0.1',
);
