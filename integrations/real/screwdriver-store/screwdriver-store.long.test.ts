import { expect, test } from 'vitest';
import { calls, repeat } from '../harness/calls.ts';
import { findStep } from '../harness/flow.ts';
import { testService } from '../harness/test-service.ts';
import { scenario, service, TOKEN } from './service.ts';

/** Expected steps of a library's layer, and of the scheme of hapi-auth-jwt2, which calls `validate` for a valid token. */
const AUTHENTICATED = ['onRequest extension', calls('authenticate', 'validate')];
/** Expected steps of a request whose handler returns a response. The last two steps are layers of hapi plugins. */
const handled = (name: string, ...steps: string[]) =>
  [...AUTHENTICATED, calls(name, ...steps), 'onPostHandler extension', 'response'].join('\n');

const BUILDS = '/v1/builds/{id}/{artifact*}';
/** Expected callbacks of a request with a body: the handler checks each of the six request headers. */
const HEADERS = repeat(6, 'Object.keys().forEach() callback');

const getRuns = testService({
  service,
  scenario,
  flows: {
    1: handled(
      `PUT ${BUILDS}`,
      ...HEADERS,
      calls(
        'streamToBuffer',
        calls('new Promise() callback', "stream.on('data') callback", "stream.on('end') callback"),
      ),
    ),
    3: handled(`GET ${BUILDS}`, 'getCredentialBuildId', 'getMimeFromFileName'),
    8: [...AUTHENTICATED, calls(`GET ${BUILDS}`, 'getCredentialBuildId'), 'response'].join('\n'),
    // The library refuses the token before it calls `validate`.
    11: ['onRequest extension', 'authenticate'].join('\n'),
    16: [
      ...AUTHENTICATED,
      calls(
        'POST /v1/commands/{namespace}/{name}/{version}',
        ...HEADERS,
        calls(
          'assertCommandOwnership',
          calls('getCommandOwner', 'GET 127.0.0.1:9/v4/commands/shop/deploy/1.0.0'),
        ),
      ),
      'response',
    ].join('\n'),
  },
  errors: {
    // The handler returns `boom.forbidden(…)`, which hapi treats as a thrown error.
    7: 'Credential only valid for 7',
    8: 'Not Found',
    9: 'Invalid request params input: "Build ID" must be a number',
    10: 'Missing authentication',
    11: 'Invalid token',
    12: 'Insufficient scope',
    15: 'Credential is not valid for 4',
    16: 'Failed to verify command ownership',
  },
  secrets: [TOKEN.slice(TOKEN.lastIndexOf('.') + 1)],
});

test('if a function catches an error and throws another one, each of the two errors is on the step of the function that threw it', (context) => {
  const failed = getRuns(context).traces[16]?.flow.filter(({ error }) => error != null) ?? [];
  const messages = failed.map(({ stepName, error }) => [stepName, error?.message]);
  expect(messages).toContainEqual(['getCommandOwner', 'fetch failed']);
  expect(messages).toContainEqual(['assertCommandOwnership', 'Failed to verify command ownership']);
});

test('the claims of a token are shown, and the token is not', (context) => {
  const step = findStep(getRuns(context).traces[2], 'getCredentialBuildId');
  expect(step.inputs).toMatchObject({ credentials: { username: 7, scope: ['build'], pipelineId: 9 } });
});

test('a request that hapi refuses before the handler is called has the route that the request matched', (context) => {
  const { traces } = getRuns(context);
  expect([9, 10, 11, 12].map((nth) => traces[nth]?.request.route)).toEqual(repeat(4, BUILDS));
});
