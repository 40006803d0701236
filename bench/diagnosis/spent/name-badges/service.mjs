import app from './app.cjs';

app.listen(Number(process.env.PORT), '127.0.0.1');
