import { expect, test } from 'vitest';
import { calls, repeat } from '../harness/calls.ts';
import { findStep, isBelow, printFlow } from '../harness/flow.ts';
import { testService } from '../harness/test-service.ts';
import { scenario, service, UNCHECKED_SIGNATURE, WRONG_SIGNATURE } from './service.ts';

const PARAM = "router.param('key') callback";
/**
 * Expected steps of a layer of a route with `:key`. The router calls the function of `router.param('key')` first, which calls the layer by
 * `next`.
 */
const keyed = (layer: string) => calls('middleware', calls(PARAM, layer));

const PATH = calls('FilesystemStore.getResourcePath', 'FilesystemStore.encodeKeyPath');
const GET_BUCKET = calls('FilesystemStore.getBucket', 'FilesystemStore.getBucketPath', 'new S3Bucket');
const NO_SUBRESOURCE = calls('FilesystemStore.getSubresource', PATH, 'getConfigModel');
const WILDCARD = calls('concat().map() callback', 'S3CorsConfiguration.createWildcardRegExp');
const NEW_CORS = calls(
  'new S3CorsConfiguration',
  'new S3ConfigBase',
  calls('concat().map() callback', WILDCARD, WILDCARD),
);
/** Expected steps of the middleware `cors` if the bucket has a CORS configuration whose origin does not match. */
const CORS = [
  calls('FilesystemStore.getSubresource', PATH, 'getConfigModel', NEW_CORS),
  calls(
    'S3CorsConfiguration.matchRule',
    calls('this.rules.find() callback', 'rule.allowedOrigins.some() callback'),
  ),
];

/** Expected steps of the layers of `s3rver.js` around the layers of the router. */
const layers = (routed: string, ...written: string[]) =>
  calls('middleware', calls('middleware', calls('vhost', routed)), ...written);
/** Expected steps of a request without an error. Koa and koa-logger call the last two functions after the response. */
const request = (...steps: [string, ...string[]]) => `
${calls('logger', 'koaLogger() callback', layers(...steps))}
onerror
koaLogger() callback`;

/** Expected steps of the layers of `routes.js` for a path with a bucket. */
const bucketLayers = (options: { cors?: string[]; hasQuery?: boolean }, ...steps: string[]) => {
  const { cors = [NO_SUBRESOURCE], hasQuery = false } = options;
  const ifQuery = (...callbacks: string[]) => (hasQuery ? callbacks : []);
  const override = calls(
    'responseHeaderOverride',
    ...ifQuery('chain().pickBy() callback'),
    calls('queryMethod', ...repeat(20, 'methods.filter() callback'), ...steps),
  );
  const authentication = calls(
    'authentication',
    ...ifQuery('mapKeys() callback', 'pickBy() callback'),
    keyed(override),
  );
  return keyed(calls('cors', ...cors, keyed(calls('website', NO_SUBRESOURCE, keyed(authentication)))));
};

/** Expected steps of the layers of `routes.js` for a path with a key, after the layers of the bucket. `queryMethod` checks 25 methods. */
const keyLayers = (handler: string) =>
  keyed(
    calls(
      'bucketExists',
      GET_BUCKET,
      keyed(
        calls(
          'queryMethod',
          ...repeat(20, 'methods.filter() callback'),
          'methods.filter() callback × 5',
          keyed(handler),
        ),
      ),
    ),
  );

const getRuns = testService({
  service,
  scenario,
  flows: {
    5: request(
      bucketLayers(
        {},
        calls(
          'bucketExists',
          GET_BUCKET,
          calls(
            'POST /:bucket',
            calls(
              'postObject',
              calls('once', calls('new Promise() callback', 'emitter.once() callback')),
              calls(
                'new Promise() callback',
                'fieldHandler',
                'fieldHandler',
                calls('fileHandler', 'new S3Object'),
              ),
              calls(
                'FilesystemStore.putObject',
                PATH,
                calls(
                  'new Promise() callback',
                  'transform',
                  "object.content.pipe().on().on('finish') callback",
                ),
                calls('FilesystemStore.putMetadata', PATH, PATH, 'pickBy() callback'),
              ),
              'finishedPromise.then() callback',
              calls('new S3Object', 'pickBy() callback', 'pickBy() callback'),
              calls('triggerS3Event', calls('new S3Event', ...repeat(3, 'randomHexString'))),
            ),
          ),
        ),
      ),
      ...repeat(4, 'tagValueProcessor'),
    ),
    7: request(
      bucketLayers(
        { hasQuery: true },
        calls(
          'PUT /:bucket',
          calls('bucketExists', GET_BUCKET),
          calls(
            'putBucketCors',
            calls(
              'utf8BodyParser',
              calls('new Promise() callback', "req.on('data') callback", "req.on('end') callback"),
            ),
            calls('S3CorsConfiguration.validate', NEW_CORS),
            calls('FilesystemStore.putSubresource', PATH, 'S3ConfigBase.toXML'),
          ),
        ),
      ),
    ),
    9: [
      calls(
        'logger',
        'koaLogger() callback',
        layers(
          bucketLayers(
            { cors: CORS },
            keyLayers(
              calls(
                'GET /:bucket/:key+',
                calls(
                  'getObject',
                  calls('FilesystemStore.getObject', calls('FilesystemStore.getMetadata', PATH, PATH)),
                  calls('new S3Error', 'mapKeys() callback'),
                ),
              ),
            ),
          ),
        ),
        'koaLogger() callback',
      ),
      calls('onerror', calls('S3Error.toXML', ...repeat(3, 'tagValueProcessor'))),
      'onerror',
    ].join('\n'),
    15: request(
      keyed(
        calls(
          'authentication',
          calls(
            'getService',
            calls('FilesystemStore.listBuckets', calls('list.map() callback', GET_BUCKET)),
            'buckets.map() callback',
          ),
        ),
      ),
      ...repeat(4, 'tagValueProcessor'),
    ),
  },
  errors: {
    9: 'The specified key does not exist.',
    10: 'The XML you provided was not well-formed or did not validate against our published schema',
    13: 'The request signature we calculated does not match the signature you provided. Check your key and signing method.',
  },
  // No step of the request calls these functions: Koa and koa-logger call them when the response has ended.
  calledByLibraries: ['onerror', 'koaLogger() callback'],
  secrets: [WRONG_SIGNATURE, UNCHECKED_SIGNATURE],
});

test('a generator and the generator to which it delegates are steps, with the functions that they call', (context) => {
  const trace = getRuns(context).traces[6];
  const list = findStep(trace, 'FilesystemStore.listObjects');
  const flow = trace === undefined ? '' : printFlow(trace, list.stepId);
  expect(flow).toContain(calls('walk', ...repeat(2, 'walk() callback'), 'walk'));
  expect(list.variables).toMatchObject({ localVariables: { keys: ['notes/a.txt', 'notes/form.txt'] } });
});

test('each function that throws has its own error, and each function that passes an error on is marked as rethrowing it', (context) => {
  const trace = getRuns(context).traces[9];
  const failed = trace?.flow.filter(({ error }) => error != null) ?? [];
  const thrown = failed.filter(({ metadata }) => !('rethrown' in Object(metadata)));
  expect(thrown.map(({ stepName }) => stepName)).toEqual(['getObject', 'FilesystemStore.getMetadata']);
  expect(failed.map(({ stepName }) => stepName)).toContain('logger');
});

test('a layer is below the function of the service that called `next`', (context) => {
  const trace = getRuns(context).traces[15];
  const authentication = findStep(trace, 'authentication');
  expect(isBelow(trace, authentication, findStep(trace, PARAM))).toBe(true);
});

// koa-logger prints its line when the response has ended.
test('a listener of the response’s end is not a step of the function that opened the streamed file', (context) => {
  const trace = getRuns(context).traces[2];
  const opened = findStep(trace, 'FilesystemStore.getObject');
  expect(trace === undefined ? '' : printFlow(trace, opened.stepId)).not.toContain('koaLogger() callback');
});
