import { Agent, request as httpRequest } from 'node:http';
import autocannon from 'autocannon';
import type { ScenarioRequest, Service } from './services.ts';

const connections = 20;
/** Timeout of a response. In some services, requests that change the same file wait for one another, and wait longer with a tracer. */
const timeoutSeconds = 60;

/** Sends one request. Rejects if the response's status differs from the scenario's. */
export async function ask(address: string, request: ScenarioRequest, agent?: Agent): Promise<void> {
  const { method, path, headers, body } = request;
  const status = await new Promise<number | undefined>((resolve, reject) => {
    const sent = httpRequest(`${address}${path}`, { method, headers, agent }, (answer) => {
      answer.resume();
      answer.once('end', () => resolve(answer.statusCode));
      answer.once('error', reject);
    });
    sent.once('error', reject);
    sent.end(body);
  });
  if (status !== request.status) throw new Error(wrongStatus(request, status));
}

/**
 * Keeps 20 connections busy until the given number of requests is complete. Each connection repeats the scenario. Returns the number
 * of requests and their rate per second.
 */
export async function askBusily(
  service: Service,
  address: string,
  atLeast: number,
): Promise<{ readonly answered: number; readonly perSecond: number }> {
  let wrong: string | undefined;
  let answered = 0;
  const requests = service.scenario.map((request) => ({
    method: request.method,
    path: request.path,
    ...(request.headers === undefined ? {} : { headers: request.headers }),
    ...(request.body === undefined ? {} : { body: request.body }),
    onResponse: (status: number) => {
      answered++;
      if (status !== request.status) wrong ??= wrongStatus(request, status);
    },
  }));
  const startedMs = performance.now();
  let answeredMs = startedMs;
  const running = autocannon({
    url: address,
    connections,
    amount: atLeast,
    timeout: timeoutSeconds,
    requests,
  });
  // Notes the time of the last response, because autocannon computes its rate from whole seconds, and a load lasts only a few seconds.
  running.on('response', () => {
    answeredMs = performance.now();
  });
  const { errors } = await running;
  if (wrong !== undefined) throw new Error(`${service.name}: ${wrong}`);
  if (errors > 0 || answered !== atLeast)
    throw new Error(`${service.name}: ${answered} of ${atLeast} requests were answered, ${errors} failed`);
  return { answered, perSecond: (answered / (answeredMs - startedMs)) * 1000 };
}

/**
 * Starts the scenario's requests at a constant rate. A request waits while all 64 connections are in use. Returns the number of requests.
 */
export async function askEvenly(
  service: Service,
  address: string,
  perSecond: number,
  seconds: number,
): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: 64 });
  const total = Math.floor(perSecond * seconds);
  const startedMs = performance.now();
  const answers: Promise<void>[] = [];
  try {
    while (answers.length < total) {
      const due = Math.min(total, Math.floor(((performance.now() - startedMs) / 1000) * perSecond));
      while (answers.length < due) {
        const request = service.scenario[answers.length % service.scenario.length];
        if (request === undefined) throw new Error(`${service.name} has no scenario`);
        answers.push(ask(address, request, agent));
      }
      await new Promise((wait) => setTimeout(wait, 1));
    }
    await Promise.all(answers);
  } finally {
    agent.destroy();
  }
  return total;
}

function wrongStatus({ method, path, status }: ScenarioRequest, got: number | undefined): string {
  return `${method} ${path} was answered with ${got}, not ${status}`;
}
