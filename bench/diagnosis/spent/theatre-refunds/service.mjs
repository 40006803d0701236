import main from './src/main.cjs';

main.listen(Number(process.env.PORT), '127.0.0.1');
