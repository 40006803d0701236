import server from './server/index.cjs';

server.start(process.env.PORT);
