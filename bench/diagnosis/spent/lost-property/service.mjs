import { createApp } from './app.ts';

createApp().listen(Number(process.env.PORT), '127.0.0.1');
