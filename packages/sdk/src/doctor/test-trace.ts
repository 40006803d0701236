import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import { sdkVersion } from '../config/version.ts';

/** Path of the request that the test trace describes. */
export const testPath = '/throughline-doctor';

export interface TestService {
  readonly name: string;
  readonly version: string | undefined;
  readonly environment: string | undefined;
}

/** Builds a request body with one trace, which contains one step. An attribute identifies the trace as a test. */
export function testPost(service: TestService): string {
  const startTime = new Date().toISOString();
  const endTime = startTime;
  const message = 'Sent by throughline-node doctor, to check that traces arrive.';
  return JSON.stringify({
    sdk: { name: '@throughline/node', version: sdkVersion },
    service: {
      ...service,
      instance: `${hostname()}:${process.pid}`.slice(0, 255),
      runtime: `node ${process.versions.node}`,
    },
    traces: [
      {
        traceId: randomBytes(16).toString('hex'),
        spanId: randomBytes(8).toString('hex'),
        request: { method: 'GET', path: testPath, route: testPath },
        response: { statusCode: 200 },
        timing: { startTime, duration: 1 },
        attributes: { 'throughline.doctor': true },
        flow: [
          {
            stepId: '1',
            parentStepId: null,
            sequence: 0,
            stepName: 'doctor',
            stepType: 'custom',
            startTime,
            endTime,
            duration: 1,
            metadata: { message },
          },
        ],
      },
    ],
  });
}
