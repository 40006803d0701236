import { Server } from 'node:net';
import { type Connection, createServer } from 'mysql2';
import { listen, type SmallServer } from './listen.ts';

/** Starts mysql2's server, with real handshakes and packets. Each query returns one row, except `SELECT broken`, which fails. */
export function startMysql(): Promise<SmallServer> {
  const mysql = createServer(serve);
  const server: unknown = Reflect.get(mysql, '_server');
  if (!(server instanceof Server)) throw new Error('mysql2 keeps its server elsewhere');
  return listen(server);
}

function serve(connection: Connection): void {
  connection.serverHandshake({
    protocolVersion: 10,
    serverVersion: '8.4.0',
    connectionId: 1,
    statusFlags: 2,
    characterSet: 33,
    capabilityFlags: 0xffffff ^ 0x800,
  });
  connection.on('error', () => {});
  connection.on('query', (sql: string) => {
    // MySQL numbers packets from 1 for each command.
    Reflect.set(connection, 'sequenceId', 1);
    answer(connection, sql);
    Reflect.set(connection, 'sequenceId', 0);
  });
}

function answer(connection: Connection, sql: string): void {
  if (sql === 'SELECT broken') {
    connection.writeError({ code: 1064, message: 'You have an error in your SQL syntax' });
    return;
  }
  const id = {
    catalog: 'def',
    schema: 'shop',
    table: 'orders',
    orgTable: 'orders',
    name: 'id',
    orgName: 'id',
    characterSet: 33,
    columnLength: 384,
    columnType: 253,
    flags: 0,
    decimals: 0,
  };
  connection.writeTextResult([{ id: '7' }], [id]);
}
