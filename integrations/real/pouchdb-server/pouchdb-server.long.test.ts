import { expect, test } from 'vitest';
import { calls, repeat } from '../harness/calls.ts';
import { findStep, isBelow, printFlow } from '../harness/flow.ts';
import { testService } from '../harness/test-service.ts';
import { scenario, service } from './service.ts';

/** Expected steps of a logger's method, which `logging-infrastructure.js` assigns to `CouchLogger.prototype[logLevel]`. */
const LOG = calls('anonymous in LOG_LEVELS.slice().forEach() callback', 'CouchLogger._write');

/** Expected steps of `CouchConfig.get`, which makes one more check if the section has been changed. */
const config = (checks: number) => calls('CouchConfig.get', ...repeat(checks, 'exists'));

/** Expected steps of a database's method that pouchdb-wrappers replaced, and of the functions that the method calls. */
const wrapped = (method: string, ...called: string[]) =>
  calls(`anonymous in ${method}`, 'parseBaseArgs', ...called);

/**
 * Expected steps of creating the session of a request without a cookie and without credentials: steps of `authentication.js`, and of
 * `multiUserSession` of pouchdb-auth.
 */
const SESSION = calls(
  'middleware /',
  calls('Promise.resolve().then() callback', 'buildCookieSession'),
  calls(
    'Promise.resolve().then().catch() callback',
    calls(
      'buildBasicAuthSession',
      ...['getUsersDB', 'getUsersDB().then() callback'],
      calls(
        'initializingDone.then() callback',
        calls(
          'multiUserSession',
          'dbDataFor',
          wrapped(
            'wrapperBuilders.info',
            'makeCall',
            calls('callHandlers', calls('noop', calls('securityWrapper', 'anonymous in makeCall'))),
          ),
          'nodify',
          'db.info().then() callback',
          'db.info().then().then().catch() callback',
          'db.info().then().then().catch().then() callback',
        ),
      ),
      'initializingDone.then().then() callback',
    ),
  ),
  'Promise.resolve().then().catch().then() callback',
);

/**
 * Expected steps of the layers of pouchdb-server's and express-pouchdb's `index.js` before the routes. The path of the request has
 * `slashes` slashes.
 */
const layers = (headers: number, slashes: number) => {
  const split = calls('splitPath', ...repeat(slashes + 1, 'path.split().filter() callback'));
  return [
    ...['favicon', 'middleware /', 'middleware /', 'compression'],
    calls(
      'middleware /',
      'rawPath',
      calls('formatHeaders', ...repeat(headers, 'keys.forEach() callback')),
      LOG,
      calls('onFinished() callback', LOG),
    ),
    'cookieParser',
    SESSION,
    calls('middleware /', config(3)),
    calls(
      'middleware /',
      calls('expressReqToCouchDBReq', 'rawPath', split, split, 'makeOpts'),
      calls('CouchConfig.getSection', 'stringifySection'),
    ),
    'middleware /',
    calls('middleware /', 'rewriteMiddleware'),
  ];
};

const SEND_JSON = calls('sendJSON', 'setJsonOrPlaintext', 'jsonToBuffer');
/** Expected steps of `PouchDB.allDbs`, with the handler of `routes/db.js` and the callback of the caller. */
const allDbs = (...received: string[]) =>
  wrapped(
    'staticWrapperBuilders.allDbs',
    'makeCall',
    calls(
      'callHandlers',
      calls('allDbs', 'anonymous in makeCall', 'orig().then() callback'),
      calls('req.PouchDB.allDbs() callback', ...received),
    ),
  );

/** Expected steps of the security wrapper around a change of a document. The administrator makes the change. */
const changed = (...made: string[]) =>
  calls('documentModificationWrapper', calls('securityWrapper', ...made));
const VALIDATION = calls(
  'doValidation',
  calls(
    'getValidationFunctions',
    wrapped(
      'wrapperBuilders.allDocs',
      'makeCallWithOptions',
      calls('callHandlers', calls('securityWrapper', 'anonymous in makeCallWithOptions')),
    ),
    'parseValidationFunctions',
  ),
  'getValidationFunctions().then() callback',
);

const getRuns = testService({
  service,
  scenario,
  flows: {
    2: [
      ...layers(4, 1),
      calls('PUT /:db', config(4), 'jsonParser() callback'),
      calls('PUT /:db', 'cleanFilename', allDbs(SEND_JSON)),
    ].join('\n'),
    7: [...layers(3, 2), calls('GET /:db/*', calls('setDBOnReq', 'cleanFilename', allDbs(SEND_JSON)))].join(
      '\n',
    ),
    15: [
      ...layers(3, 1),
      calls('GET /_all_dbs', allDbs(...repeat(3, 'response.filter() callback'), SEND_JSON)),
    ].join('\n'),
  },
  // The service sends its errors itself, most of them with a status below 500.
  errors: { 9: '500 Internal Server Error' },
});

test('the steps below a handler are the wrappers that call each other, the change of the document, and the error response after a conflict', (context) => {
  const trace = getRuns(context).traces[5];
  const handlers = trace?.flow.filter(({ stepName }) => stepName === 'PUT /:db/:id(*)') ?? [];
  expect(trace === undefined ? '' : printFlow(trace, handlers.at(-1)?.stepId)).toBe(
    [
      ...['makeOpts', 'getRev'],
      // `put` calls `bulkDocs`, which pouchdb-bulkdocs-wrapper handles for each document.
      calls(
        'anonymous in wrapperBuilders.put',
        calls(
          'callHandlers',
          calls(
            'securityWrappers.put',
            changed(
              calls(
                'wrapperApi.put',
                VALIDATION,
                calls(
                  'callHandlers() callback',
                  wrapped(
                    'wrapperBuilders.bulkDocs',
                    calls(
                      'callHandlers',
                      calls('createBulkDocsWrapper() callback', changed()),
                      calls('createBulkDocsWrapper() callback', VALIDATION),
                      'callHandlers() callback',
                    ),
                  ),
                ),
              ),
            ),
          ),
        ),
      ),
      'onPutOrPostResponse',
      calls('req.db.put().then().catch() callback', calls('sendError', SEND_JSON)),
    ].join('\n'),
  );
});

test('an error that a promise of the library rejects with is passed on by each function that returns the promise', (context) => {
  const failed = getRuns(context).traces[5]?.flow.filter(
    ({ error }) => error?.message === 'Document update conflict',
  );
  expect(failed?.map(({ stepName, metadata }) => [stepName, 'rethrown' in Object(metadata)])).toEqual([
    ['anonymous in wrapperBuilders.put', true],
    ['callHandlers', true],
    ['securityWrappers.put', true],
    ['documentModificationWrapper', true],
    ['securityWrapper', true],
    ['wrapperApi.put', true],
    ['callHandlers() callback', false],
  ]);
});

test('a thrown string is the error of the function that throws it', (context) => {
  expect(findStep(getRuns(context).traces[7], 'db.info().then() callback').error?.message).toBe(
    'no session id',
  );
});

test('a callback that the database calls from its own queue is below the function that passed it to a library', (context) => {
  const trace = getRuns(context).traces[4];
  const get = findStep(trace, 'req.db.get() callback');
  expect(isBelow(trace, get, findStep(trace, 'GET /:db/:id(*)'))).toBe(true);
  expect(trace?.flow.find(({ stepId }) => stepId === get.parentStepId)?.stepName).toBe('callHandlers');
});

// `callHandlers` passes the callback to promise-nodify, as in the previous test. `sendCallback` only returned the callback.
test('a callback that a function returned is below the function that passed it to a library', (context) => {
  const trace = getRuns(context).traces[13];
  const callback = findStep(trace, 'anonymous in sendCallback');
  expect(trace?.flow.find(({ stepId }) => stepId === callback.parentStepId)?.stepName).toBe('callHandlers');
});

// `routes/security.js` mounts its layers at `/:db/*` and `/:db`.
test('the name of a mounted layer does not contain the path of another request', (context) => {
  const names = getRuns(context).traces[6]?.flow.map(({ stepName }) => stepName) ?? [];
  expect(names.filter((name) => name.includes('tea'))).toEqual([]);
  expect(names).toContain('middleware /:db/*');
});
