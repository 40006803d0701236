import { createServer } from 'node:http';
import { answer } from './src/http.ts';

const server = createServer((request, response) => void answer(request, response));
server.listen(Number(process.env.PORT), '127.0.0.1');
