import type { Client } from 'pg';
import type { ControlStore } from './control-store.ts';

/** First delay between attempts to reconnect, and the maximum delay. */
const FIRST_REST_MS = 50;
const MAX_RETRY_DELAY_MS = 3000;

interface Channel {
  readonly onNotice: (payload: string) => void;
  readonly onListening: () => void;
}

/** Listens for notifications on a separate connection, which is reopened when it is lost. */
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
    // Without a listener, `error` would end the process. A lost connection also emits `end`, which starts the reconnection.
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

  /** Reconnects. Retries until the connection is open or the listener is closed, because no caller could handle a failure. */
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
