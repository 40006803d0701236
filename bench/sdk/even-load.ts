import { Agent, request } from 'node:http';

export interface EvenLoad {
  readonly url: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly perSecond: number;
  readonly seconds: number;
}

/**
 * Starts requests at a constant rate (an open loop). A request waits while all 64 connections are in use. autocannon's `overallRate` is not
 * suitable: it sends each second's requests back to back and then waits, which measures a full load. Resolves when all requests have
 * responses; rejects at the first failure.
 */
export async function sendEvenly(load: EvenLoad): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: 64 });
  const total = load.perSecond * load.seconds;
  const started = performance.now();
  const answers: Promise<void>[] = [];
  try {
    while (answers.length < total) {
      const due = Math.min(total, Math.floor(((performance.now() - started) / 1000) * load.perSecond));
      while (answers.length < due) answers.push(sendOne(load, agent));
      await new Promise((wait) => setTimeout(wait, 1));
    }
    await Promise.all(answers);
  } finally {
    agent.destroy();
  }
}

function sendOne({ url, method, headers, body }: EvenLoad, agent: Agent): Promise<void> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, headers, agent }, (answer) => {
      answer.resume();
      answer.once('end', () => {
        if (answer.statusCode !== undefined && answer.statusCode < 300) resolve();
        else reject(new Error(`${url} answered ${answer.statusCode}`));
      });
    });
    sent.once('error', reject);
    sent.end(body);
  });
}
