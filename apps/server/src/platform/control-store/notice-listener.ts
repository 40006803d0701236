import type { Client } from 'pg';
import type { ControlStore } from './open.ts';

/** Between tries to connect again, the first one and all from some on. */
const FIRST_REST_MS = 50;
const MAX_RETRY_DELAY_MS = 3000;

interface Channel {
  readonly onNotice: (payload: string) => void;
  readonly onListening: () => void;
}

/** Listens for notices on a connection of its own, which is opened again when it is lost. */
export interface NoticeListener {
  readonly listen: ControlStore['listen'];
  close(): Promise<void>;
}

export function createNoticeListener(newClient: () => Client): NoticeListener {
  const channels = new Map<string, Channel[]>();
  let connected: Promise<Client> | undefined;
  let reconnecting = false;
  let closed = false;

  const connect = async (): Promise<Client> => {
    const client = newClient();
    // It is also told by its end.
    client.on('error', () => {});
    client.on('notification', ({ channel, payload }) => {
      for (const { onNotice } of channels.get(channel) ?? []) onNotice(payload ?? '');
    });
    await client.connect();
    client.on('end', () => {
      connected = undefined;
      if (!closed && !reconnecting) void reconnect();
    });
    return client;
  };

  /** Until it works: there is nobody else whom it could be told. */
  const reconnect = async () => {
    reconnecting = true;
    for (let restMs = FIRST_REST_MS; !closed; restMs = Math.min(2 * restMs, MAX_RETRY_DELAY_MS)) {
      try {
        connected = connect();
        const client = await connected;
        for (const name of channels.keys()) await listenTo(client, name);
        reconnecting = false;
        for (const { onListening } of [...channels.values()].flat()) onListening();
        return;
      } catch {
        connected = undefined;
        await new Promise((resolve) => setTimeout(resolve, restMs).unref());
      }
    }
  };

  return {
    async listen(name, onNotice, onListening = () => {}) {
      connected ??= connect();
      const client = await connected.catch((error: unknown) => {
        connected = undefined;
        throw error;
      });
      channels.set(name, [...(channels.get(name) ?? []), { onNotice, onListening }]);
      await listenTo(client, name);
      onListening();
    },
    async close() {
      closed = true;
      await connected?.then((client) => client.end()).catch(() => {});
    },
  };
}

async function listenTo(client: Client, channel: string): Promise<void> {
  await client.query(`LISTEN ${client.escapeIdentifier(channel)}`);
}
