import { expect, test } from 'vitest';
import { findStep } from '../harness/flow.ts';
import { testService } from '../harness/test-service.ts';
import { PASSWORD, scenario, service } from './service.ts';

/**
 * Expected steps of the middlewares before the Admin API's routes: `core/app.js`, `core/server/web/parent/app.js`,
 * `core/server/web/api/app.js`.
 */
const BEFORE_ADMIN_API = `
expressNoop
expressNoop
maintenanceMiddleware
  isMaintenanceModeEnabled
    LazyUrlService.hasFinished
expressNoop
requestId
logRequest
  logResponse
emitEvents
  triggerEvents
compression
ghostLocals
vhost
  expressNoop
  lazyRouterHandler
    expressNoop
    mwVersionRewrites
      legacy-api-path-match
    apiVersionCompatibilityContentVersion
    maxLimitCap
    lazyRouterHandler
      expressNoop
      jsonParser`;

/** Expected steps of `handleJSONResponse` of `@tryghost/mw-error-handler`. */
const ERROR_HANDLERS = `
      prepareError
      prepareErrorCacheControlInner
      prepareStack
      jsonErrorRenderer`;

const getRuns = testService({
  service,
  scenario,
  flows: {
    12: `${BEFORE_ADMIN_API}${ERROR_HANDLERS}`,
    14: `${BEFORE_ADMIN_API}
      urlencodedParser
      middleware /ghost/api/admin
      checkVersionMatch
      cacheControlHeaders
      expressNoop
      corsCaching
      corsMiddleware
        corsOptionsDelegate
          getAllowlist
      apiKeyAdminAuth
      authenticate
        getUserForSession
      authorizeAdminApi${ERROR_HANDLERS}`,
  },
  errors: {
    2: 'Page not found',
    5: 'Your password is incorrect.',
    10: 'Unknown Content API Key',
    12: 'Unexpected end of JSON input',
    14: 'Authorization failed',
  },
  secrets: [PASSWORD],
});

// Bookshelf creates the query in `sync`, which returns at once, and runs it later for `findOne`.
test('a query is a step of the function that runs it, and not of the function that only created it', (context) => {
  const trace = getRuns(context).traces[10];
  const query = findStep(trace, 'SELECT api_keys');
  expect(query.parentStepId).toBe(findStep(trace, 'findOne').stepId);
});

test('a function that returns a rejected Bluebird promise has the error of the promise', (context) => {
  const check = findStep(getRuns(context).traces[5], 'check');
  expect(check.error?.message).toBe('Your password is incorrect.');
});

test('the step of a model shows its file, its line and its arguments', (context) => {
  const step = findStep(getRuns(context).traces[10], 'findOne');
  expect(step.filePath).toBe('ghost/core/server/models/base/plugins/crud.js');
  expect(step.lineNumber).toBe(220);
});
