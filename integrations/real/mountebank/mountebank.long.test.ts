import { expect, test } from 'vitest';
import { calls, repeat } from '../harness/calls.ts';
import { findStep, printFlow } from '../harness/flow.ts';
import { testService } from '../harness/test-service.ts';
import { scenario, service } from './service.ts';

/** Expected step of a scoped logger's method, which `scopedLogger.js` assigns to `wrappedLogger[level]`. */
const LOG = 'anonymous in forEach() callback';

/**
 * Expected steps of the layers of `mountebank.js` before the routes. The layer that parses JSON calls its listeners before the next layer.
 */
const layers = (body: readonly string[], ...beforeLog: string[]) =>
  [
    ...['middleware /', 'middleware /'],
    calls('middleware /', calls('shouldLog', ...repeat(5, 'some() callback')), ...beforeLog),
    'middleware /',
    'defaultIEtoHTML',
    calls('middleware /', ...body),
  ].join('\n');
const STATIC_AND_CORS = ['serveStatic', 'serveStatic', 'corsMiddleware'];
const WITH_BODY = layers(['isObject', "request.on('data') callback", "request.on('end') callback"], LOG);
const WITHOUT_BODY = layers(["request.on('end') callback"], LOG);

/** Expected steps of `response.send` of `useAbsoluteUrls`, which Express's `res.json` calls again with the text. */
const send = (...properties: string[]) =>
  calls(
    'response.send',
    'isObject',
    calls('traverse', 'changeLinks', ...properties),
    'response.setHeader',
    calls('response.send', 'isObject', 'response.setHeader', 'response.setHeader'),
  );
/** Expected steps for a property that `traverse` finds, and for the properties below it. */
const property = (...properties: string[]) =>
  calls(
    'Object.keys().forEach() callback',
    'isObject',
    ...(properties.length === 0 ? [] : [calls('traverse', 'changeLinks', ...properties)]),
  );
const EMPTY_OBJECT = calls('Object.keys().forEach() callback', 'isObject', calls('traverse', 'changeLinks'));
/** Expected steps of sending a list with one error. */
const sendError = (...properties: string[]) => send(property(property(...properties)));

/** Expected steps of creating an error, with one callback for each of the properties `code` and `message`, and for each option. */
const newError = (creator: string, options: number) =>
  calls(
    `anonymous in ${creator}`,
    calls(
      'createError',
      calls('from', 'F', ...repeat(2, 'Object.keys().forEach() callback')),
      ...repeat(options, 'Object.keys().forEach() callback'),
    ),
  );

const DETAILS = calls('details', ...repeat(3, 'forEach() callback'), calls('merge', 'clone'));

/** `reposToTestFor` clones the stub once with its predicates and once without them. */
const CLONE_STUB = calls('stub.responses.map() callback', calls('stubForResponse', 'clone', 'clone'));
const ADD_STUB = calls(
  'stubsToValidate.map() callback',
  ...['create', 'createStubsRepository'],
  calls(
    'add',
    calls('wrap', 'clone', calls('repeatTransform', 'repeatsFor')),
    calls('reindex', 'stubs.forEach() callback'),
  ),
);
const firstMatch = (...tested: string[]) =>
  calls('findFirstMatch', calls('first', calls('filter', calls('trueForAll', ...tested))));

const getRuns = testService({
  service,
  scenario,
  flows: {
    // The stub has a predicate of an unknown type. The dry run of its copy without predicates continues.
    3: [
      WITH_BODY,
      ...STATIC_AND_CORS,
      calls(
        'post',
        calls('requestDetails', 'socketName'),
        LOG,
        calls(
          'validate',
          calls(
            'upcast',
            calls('upcastShellTransformToArray', calls('forEach() callback', 'forEach() callback')),
            'upcastTcpProxyDestinationToUrl',
            calls(
              'upcastBehaviorsToArray',
              calls('forEach() callback', calls('canUpcastBehaviors', 'isObject')),
            ),
          ),
          calls('validatePort', 'defined'),
          calls('validateProtocol', 'defined'),
          'create',
          calls(
            'validate',
            calls(
              'stubs.map() callback',
              calls(
                'errorsForStub',
                'addStubInjectionErrors',
                calls(
                  'addBehaviorErrors',
                  calls(
                    'stub.responses.forEach() callback',
                    calls('validate', 'create', 'validate'),
                    'addAllTo',
                    calls('addRepeatErrorsTo', newError('create', 1)),
                  ),
                ),
                calls(
                  'addDryRunErrors',
                  calls(
                    'dryRun',
                    calls('reposToTestFor', CLONE_STUB, CLONE_STUB, ADD_STUB, ADD_STUB),
                    calls(
                      'dryRunRepositories.map() callback',
                      calls(
                        'dryRunSingleRepo',
                        firstMatch(
                          calls(
                            'trueForAll() callback',
                            calls(
                              'evaluate',
                              'Object.keys().find() callback',
                              'clone',
                              newError('create', 1),
                            ),
                          ),
                        ),
                      ),
                    ),
                    calls(
                      'dryRunRepositories.map() callback',
                      calls(
                        'dryRunSingleRepo',
                        firstMatch(),
                        calls('cloned.nextResponse', calls('createResponse', 'clone')),
                        'resolverFor',
                        calls(
                          'resolve',
                          'hasMultipleTypes',
                          'clone',
                          calls('processResponse', 'clone'),
                          'execute',
                        ),
                      ),
                    ),
                  ),
                ),
              ),
            ),
            'errorsForRequest',
            ...repeat(2, 'errorsForAllStubs.reduce() callback'),
          ),
        ),
        calls(
          'respondWithValidationErrors',
          DETAILS,
          LOG,
          sendError(property(), property(), property(EMPTY_OBJECT)),
        ),
      ),
    ].join('\n'),
    12: [
      WITHOUT_BODY,
      ...STATIC_AND_CORS,
      calls('validateImposterExists', 'exists'),
      calls(
        'deleteStub',
        ...['get', 'stubsFor'],
        calls(
          'validateStubIndex',
          calls('toJSON', 'clone', ...repeat(5, 'cloned.forEach() callback')),
          newError('create', 0),
        ),
        calls('respondWithValidationErrors', DETAILS, LOG, sendError(property(), property())),
      ),
    ].join('\n'),
    14: layers(
      [
        'isObject',
        "request.on('data') callback",
        calls(
          "request.on('end') callback",
          LOG,
          newError('createWithMessage', 1),
          sendError(property(), property(), property()),
        ),
      ],
      LOG,
    ),
    16: [
      layers(["request.on('end') callback"]),
      ...STATIC_AND_CORS,
      calls(
        'get',
        ...repeat(4, calls('isFlagSet', 'defined')),
        calls(
          'getAllJSON',
          calls('all', 'get'),
          calls(
            'allImposters.map() callback',
            calls('toJSON', calls('toJSON', 'createHeader', 'addLinksTo')),
          ),
        ),
        // `res.format` sets `Vary` and `Content-Type`. `res.render` passes the text to `res.send`.
        ...repeat(2, 'response.setHeader'),
        calls(
          'html',
          calls(
            'response.render',
            ...repeat(2, 'Object.keys().forEach() callback'),
            calls('response.send', 'isObject', ...repeat(2, 'response.setHeader')),
          ),
        ),
      ),
    ].join('\n'),
  },
  // Express raises the error before it calls a layer. No error handler receives it, because the service adds its handler before its routes.
  errors: { 15: "Failed to decode param '%E0%A4%A'" },
});

test('the listeners of a stream that reads a file are below the function that opened the file', (context) => {
  const trace = getRuns(context).traces[6];
  const { stepId } = findStep(trace, 'selectRowFromCSV');
  const row = calls('createRowObject', ...repeat(2, 'rowArray.forEach() callback'));
  expect(trace === undefined ? '' : printFlow(trace, stepId)).toBe(
    calls(
      'new Promise() callback',
      calls(
        "pipe.on('data') callback",
        'defined',
        calls('containsKey', 'Object.values().find() callback', 'defined'),
      ),
      ...repeat(2, calls("pipe.on('data') callback", 'defined', row, 'defined')),
      "pipe.on('end') callback",
    ),
  );
});

test('callbacks that a function passes to `then` in a loop are steps below the function, in the order of the loop', (context) => {
  const trace = getRuns(context).traces[6];
  const { stepId } = findStep(trace, 'execute');
  const lines = trace === undefined ? [] : printFlow(trace, stepId).split('\n');
  expect(lines.filter((line) => /^ {0,6}\S/.test(line))).toEqual(
    [
      LOG,
      ...['lookup', 'wait'].map((behavior) =>
        calls(
          'behaviors.forEach() callback',
          calls('Object.keys().forEach() callback', calls('result.then() callback', behavior)),
        ),
      ),
    ].flatMap((tree) => tree.split('\n')),
  );
});

test('the step of a function that evaluates a user’s function shows the return value of the user’s function', (context) => {
  const inject = findStep(getRuns(context).traces[7], 'inject');
  expect(inject.variables?.returnValue).toEqual({ body: '/injected 1' });
});

test('the function that throws has the error, although the service creates the error without a constructor', (context) => {
  const failed = getRuns(context).traces[3]?.flow.filter(({ error }) => error != null) ?? [];
  const thrown = failed.filter(({ metadata }) => !('rethrown' in Object(metadata)));
  expect(thrown.map(({ stepName }) => stepName)).toEqual(['evaluate']);
  expect(new Set(failed.map(({ error }) => error?.message))).toEqual(new Set(['missing predicate']));
  expect(failed.map(({ stepName }) => stepName)).toContain('dryRun');
});
