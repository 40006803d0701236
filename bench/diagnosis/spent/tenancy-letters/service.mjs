import express from 'express';
import { lettersRouter } from './letters/router.mjs';
import { findAgent } from './people/sessions.mjs';

const app = express();
app.disable('x-powered-by');
app.use(express.json());

app.use(async (request, _response, next) => {
  request.agent = await findAgent(request.get('authorization'));
  next();
});
app.use('/letters', lettersRouter());

app.use((error, _request, response, _next) => {
  response.status(error.status ?? 500).json({ error: error.message });
});

app.listen(Number(process.env.PORT), '127.0.0.1');
