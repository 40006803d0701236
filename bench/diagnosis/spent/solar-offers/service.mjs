import { app } from './src/app.ts';

app.listen(Number(process.env.PORT), '127.0.0.1');
