/** Sends the requests of a project to a server, as its services would have sent them. */
import { setTimeout } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { otlpAttributes, otlpProtobuf } from '@throughline/testkit/otlp';
import { sendAll } from '../ingest/otlp-sender.ts';
import { createSender } from '../ingest/senders.ts';
import type { Project } from './habits.ts';
import type { Otlp } from './problem.ts';
import type { Request } from './request.ts';
import { writeSpans } from './spans-of-request.ts';
import { writeTrace } from './trace-of-request.ts';

const TRACES_PER_BATCH = 500;
/** Number of concurrent requests: the server stores some bodies while the next body is generated. */
const CONNECTIONS = 3;

const OVERLOADED = 503;
const MAX_TURNS = 30;
type Sender = ReturnType<typeof createSender>;

interface Target {
  readonly url: string;
  readonly apiKey: string;
}

interface Batch {
  readonly release: string;
  readonly environment: string;
  readonly instance: string;
  readonly requests: readonly Request[];
}

/** Divides requests into batches. The same process of the service handled all requests of a batch. */
function makeBatches(requests: readonly Request[]): Batch[] {
  const processes = Map.groupBy(
    requests,
    ({ environment, release, instance }) => `${environment} ${release} ${instance}`,
  );
  return [...processes.values()].flatMap((group) => {
    const [{ environment, release, instance } = { environment: '', release: '', instance: '' }] = group;
    return Array.from({ length: Math.ceil(group.length / TRACES_PER_BATCH) }, (_batch, index) => ({
      release,
      environment,
      instance,
      requests: group.slice(index * TRACES_PER_BATCH, (index + 1) * TRACES_PER_BATCH),
    }));
  });
}

/** Sends the requests as the SDK sends them. */
export async function sendTraces(target: Target, project: Project, requests: readonly Request[]) {
  const sender = createSender(target, CONNECTIONS);
  const underWay = new Set<Promise<void>>();
  const send = async ({ release, environment, instance, requests: some }: Batch) => {
    const service = {
      name: project.service,
      version: release,
      environment,
      release,
      instance,
      runtime: 'node 24',
    };
    const traces = some.map((request) => writeTrace(project, request));
    const body = gzipSync(JSON.stringify({ sdk: { name: 'bench', version: '1' }, service, traces }), {
      level: 1,
    });
    const { status, accepted } = await sendPatiently(sender, { body, ids: [] });
    if (accepted !== traces.length)
      throw new Error(`${accepted} of ${traces.length} traces were accepted: ${status}`);
  };
  for (const batch of makeBatches(requests)) {
    const turn = send(batch).finally(() => underWay.delete(turn));
    underWay.add(turn);
    if (underWay.size >= CONNECTIONS) await Promise.race(underWay);
  }
  await Promise.all(underWay);
  sender.close();
}

/** Sends a batch. While the server is overloaded, sends the batch again each second, at most `MAX_TURNS` times. */
async function sendPatiently(sender: Sender, batch: Parameters<Sender['send']>[0]) {
  let answer = await sender.send(batch);
  for (let turn = 0; answer.status === OVERLOADED && turn < MAX_TURNS; turn += 1) {
    await setTimeout(1000);
    answer = await sender.send(batch);
  }
  return answer;
}

/** Sends the requests as spans over OTLP, as an OpenTelemetry SDK or a collector sends them. */
export async function sendSpans(
  target: Target,
  project: Project,
  { otlp, requests }: { readonly otlp: Otlp; readonly requests: readonly Request[] },
) {
  const batches = makeBatches(requests).map(({ release, environment, instance, requests: some }) => {
    const resource = {
      attributes: otlpAttributes({
        'service.name': project.service,
        'service.version': release,
        'service.instance.id': instance,
        'deployment.environment.name': environment,
      }),
    };
    const spans = some.flatMap((request) => writeSpans(project, request, otlp));
    const body = otlpProtobuf({
      resourceSpans: [{ resource, scopeSpans: [{ scope: { name: 'bench' }, spans }] }],
    });
    return { body: gzipSync(body, { level: 1 }), traceIds: [] };
  });
  await sendAll(target, batches);
}
