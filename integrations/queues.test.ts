import { Collector } from '@throughline/testkit/collector';
import type { PostedStep, PostedTrace } from '@throughline/testkit/posted';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { App } from './harness/app.ts';
import { type AmqpServer, startAmqp } from './harness/servers/amqp.ts';
import { type KafkaServer, startKafka } from './harness/servers/kafka.ts';
import type { SmallServer } from './harness/servers/listen.ts';
import { startRedis } from './harness/servers/redis.ts';

const collector = new Collector();
let redis: SmallServer;
let amqp: AmqpServer;
let kafka: KafkaServer;
let app: App;
let url: string;

beforeAll(async () => {
  [redis, amqp, kafka] = await Promise.all([startRedis(), startAmqp(), startKafka('orders')]);
  app = new App('queues/app.js', {
    collector: await collector.start(),
    env: {
      REDIS: `redis://127.0.0.1:${redis.port}`,
      AMQP: `amqp://127.0.0.1:${amqp.port}`,
      KAFKA: `127.0.0.1:${kafka.port}`,
    },
  });
  url = await app.ready();
});
afterAll(async () => {
  await app.stop('SIGKILL');
  redis.stop();
  amqp.stop();
  kafka.stop();
  await collector.stop();
});

async function ask(path: string): Promise<{ trace: PostedTrace; queued: PostedStep; answer: string }> {
  const answer = await (await fetch(url + path)).text();
  const trace = await collector.trace(path);
  const [queued, ...more] = trace.flow.filter(({ stepType }) => stepType === 'queue');
  if (queued === undefined || more.length > 0) throw new Error(`${more.length + 1} messages, ${answer}`);
  return { trace, answer, queued };
}

function parentName(trace: PostedTrace, { parentStepId }: PostedStep): string | undefined {
  return trace.flow.find(({ stepId }) => stepId === parentStepId)?.stepName;
}

test('adding a BullMQ job is a step with the data of the job, above the Redis commands that add the job', async () => {
  const { trace, queued, answer } = await ask('/bullmq');
  expect(answer).toBe('"1"');
  expect(queued).toMatchObject({
    stepName: 'add emails.welcome',
    inputs: { message: { to: 'ada', password: { $type: 'redacted' } } },
  });
  expect(parentName(trace, queued)).toBe('enqueue');
  const commands = trace.flow.filter(({ stepType }) => stepType === 'cache');
  expect(commands.length).toBeGreaterThan(0);
  expect(commands.every(({ parentStepId }) => parentStepId === queued.stepId)).toBe(true);
});

test('an AMQP message of amqplib is a step with its body, and has a traceparent', async () => {
  const { trace, queued, answer } = await ask('/amqp');
  expect(answer).toBe('true');
  expect(queued).toMatchObject({
    stepName: 'publish orders',
    inputs: { message: '{"order":"A1"}' },
    metadata: { 'messaging.system': 'rabbitmq', spanId: expect.any(String) },
  });
  expect(parentName(trace, queued)).toBe('publish');
  const [sent] = amqp.published;
  expect(sent?.toString('latin1')).toContain(`00-${trace.traceId}-${queued.metadata?.spanId}-01`);
  expect(sent?.toString('latin1')).toContain('tenant');
});

test('a Kafka message of kafkajs is a step with its body, and has a traceparent', async () => {
  const { trace, queued, answer } = await ask('/kafka');
  expect(answer).toBe('"41"');
  expect(queued).toMatchObject({
    stepName: expect.stringContaining('orders'),
    inputs: { message: '{"order":"A1"}' },
    metadata: { 'messaging.system': 'kafka', spanId: expect.any(String) },
  });
  expect(queued.error).toBeUndefined();
  expect(parentName(trace, queued)).toBe('produce');
  const [sent] = kafka.produced;
  expect(sent?.toString('latin1')).toContain(`00-${trace.traceId}-${queued.metadata?.spanId}-01`);
  expect(sent?.toString('latin1')).toContain('{"order":"A1"}');
});

test('a missing Kafka broker fails the step, and the host receives the error of kafkajs', async () => {
  const { trace, queued, answer } = await ask('/kafka-lost');
  expect(answer).toMatch(/KafkaJS/);
  expect(queued).toMatchObject({
    stepName: expect.stringContaining('orders'),
    inputs: { message: '{"order":"A1"}' },
    error: { message: expect.any(String) },
  });
  expect(parentName(trace, queued)).toBe('produce');
});
