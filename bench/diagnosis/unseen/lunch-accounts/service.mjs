import { createServer } from 'node:http';
import { dispatch } from './canteen/dispatch.mjs';

createServer((request, response) => {
  let text = '';
  request.setEncoding('utf8');
  request.on('data', (part) => (text += part));
  request.on('end', () => {
    dispatch(request.method, request.url, text)
      .catch(({ status = 500, message }) => ({ status, body: { error: message } }))
      .then(({ status = 200, body }) => {
        response.writeHead(status, { 'content-type': 'application/json' });
        response.end(JSON.stringify(body));
      });
  });
}).listen(Number(process.env.PORT), '127.0.0.1');
