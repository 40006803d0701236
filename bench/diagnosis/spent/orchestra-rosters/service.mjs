import express from 'express';
import { projects } from './projects/router.mjs';

const app = express();
app.use('/projects', projects);
app.use((_request, response) => response.status(404).json({ message: 'not found' }));
app.use((error, _request, response, _next) => {
  response.status(error.status ?? 500).json({ message: error.message });
});
app.listen(Number(process.env.PORT), '127.0.0.1');
