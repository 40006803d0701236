import { expect, test } from 'vitest';
import { calls } from '../harness/calls.ts';
import { findStep, printFlow } from '../harness/flow.ts';
import { testService } from '../harness/test-service.ts';
import { PASSWORD, scenario, service } from './service.ts';

const GUARD = calls('guardStream', 'isGuarded');
/**
 * Expected steps of `guardStream` for a stream that is already guarded. The function replaces a listener, so the stream emits
 * `newListener`.
 */
const GUARD_AGAIN = calls('guardStream', 'isGuarded', 'emitStoredErrors');

/**
 * Expected steps of every request: before the middleware, in the middleware, and after the response. After the response, Node adds a
 * listener for the end of the request stream, which is guarded. `afterOrigin`: the expected steps below `defaultOptions.origin` of `cors`.
 */
const request = (afterOrigin: readonly string[], ...handled: string[]) => `
${calls(
  'request handler',
  GUARD,
  'emitStoredErrors',
  calls(
    'AsyncHandler.handleSafe',
    'AsyncHandler.canHandle',
    calls(
      'SequenceHandler.handle',
      'AsyncHandler.canHandle',
      calls(
        'SequenceHandler.handle',
        calls('ParallelHandler.canHandle', calls('this.handlers.map() callback', 'AsyncHandler.canHandle')),
        calls('ParallelHandler.handle', calls('this.handlers.map() callback', 'HeaderHandler.handle')),
        'AsyncHandler.canHandle',
        calls(
          'CorsHandler.handle',
          calls('new Promise() callback', calls('defaultOptions.origin', ...afterOrigin)),
        ),
      ),
      ...handled,
    ),
  ),
)}
emitStoredErrors`;

const FIND_ASSET = calls(
  'findHandler',
  calls('StaticAssetHandler.canHandle', 'StaticAssetHandler.getFilePath'),
);
const GET_ENTRY = calls(
  'InMemoryDataAccessor.getEntry',
  calls(
    'InMemoryDataAccessor.getParentEntry',
    'InMemoryDataAccessor.getHierarchy',
    'InMemoryDataAccessor.isDataEntry',
  ),
);

const getRuns = testService({
  service,
  scenario,
  flows: {
    // `cors` ends the response to a preflight request.
    13: request([]),
    14: request(
      ['this.corsHandler() callback'],
      calls('WaterfallHandler.canHandle', FIND_ASSET),
      calls(
        'WaterfallHandler.handle',
        FIND_ASSET,
        calls(
          'StaticAssetHandler.handle',
          'StaticAssetHandler.getFilePath',
          calls(
            'new Promise() callback',
            calls(
              "asset.once('readable') callback",
              'StaticAssetHandler.getCacheHeaders',
              calls('pipeSafely', 'isHttpRequest', GUARD, 'pump() callback'),
            ),
          ),
        ),
      ),
    ),
  },
  // Node calls `emitStoredErrors` when the response has ended.
  calledByLibraries: ['emitStoredErrors'],
  // The service responds to its errors itself.
  errors: { 8: '501 Not Implemented' },
  secrets: [PASSWORD],
});

test('the steps of an async generator, which `for await` reads, are the calls in the source', (context) => {
  const trace = getRuns(context).traces[2];
  const { parentStepId } = findStep(trace, 'InMemoryDataAccessor.getChildren');
  expect(trace === undefined ? '' : printFlow(trace, parentStepId)).toBe(
    [
      'DataAccessorBasedStore.validateIdentifier',
      calls('InMemoryDataAccessor.getMetadata', GET_ENTRY),
      calls(
        'InMemoryDataAccessor.getChildren',
        GET_ENTRY,
        'InMemoryDataAccessor.isDataEntry',
        'Object.entries().map() callback',
      ),
      calls('guardedStreamFrom', GUARD),
      GUARD_AGAIN,
      'new ContentType',
    ].join('\n'),
  );
});

test('a function whose promise never settles is marked as unfinished, and so are the functions that wait for the promise', (context) => {
  const { flow = [] } = getRuns(context).traces[13] ?? {};
  expect(
    flow.filter(({ metadata }) => 'unfinished' in Object(metadata)).map(({ stepName }) => stepName),
  ).toEqual([
    'request handler',
    'AsyncHandler.handleSafe',
    'SequenceHandler.handle',
    'SequenceHandler.handle',
    'CorsHandler.handle',
  ]);
});

test('the function that throws has the error', (context) => {
  const step = findStep(getRuns(context).traces[6], 'N3PatchBodyParser.handle');
  expect(step.filePath).toBe('@solid/community-server/src/http/input/body/N3PatchBodyParser.ts');
  expect(step.error?.message).toBe('Invalid N3: Unexpected "no" on line 1.');
  expect('rethrown' in Object(step.metadata)).toBe(false);
});

test('a function that holds a lock until a stream has ended, and that its caller does not await, is marked as detached', (context) => {
  const { flow = [] } = getRuns(context).traces[1] ?? {};
  const locks = flow.filter(({ stepName }) => stepName === 'WrappedExpiringReadWriteLocker.withReadLock');
  expect(locks.some(({ metadata }) => 'detached' in Object(metadata))).toBe(true);
});

// `ConvertingErrorHandler.extractErrorDetails` deletes `stack` and `cause` of the error before it writes the response.
test('an error has the stack and the cause that it had when it was thrown', (context) => {
  const { error } = findStep(getRuns(context).traces[6], 'N3PatchBodyParser.handle');
  // The service deletes the error's stack before the SDK reads it. Only V8 of Node 21 and later still returns a deleted stack.
  const isStackLost = (process.env.INTEGRATIONS_NODE ?? '').includes('/20.');
  expect(error?.stack).toMatch(isStackLost ? /^\[cause\]: / : /at N3PatchBodyParser\.handle .*\[cause\]: /s);
});
