import { expect, test } from 'vitest';
import { calls, repeat } from '../harness/calls.ts';
import { findStep, printFlow } from '../harness/flow.ts';
import { testService } from '../harness/test-service.ts';
import { API_KEY, scenario, service } from './service.ts';

/**
 * Expected steps of writing a line to the log. Pino's stream calls the functions that `pipeOutputToSignale` passed to it, before `info`
 * returns.
 */
const LOG = ['split() callback', calls("stream.pipe().on('data') callback", 'constructPrefix')];

/**
 * Expected steps of a request that `Router.on.options` does not match. `preferences`: the steps that parse the request's preferences.
 * `handled`: the steps after that.
 */
const request = (preferences: string, ...handled: string[]) =>
  calls(
    'Router.otherwise() callback',
    'setCommonCORSHeaders',
    calls('handler', 'parseRequestBody', 'searchParamsToNameValues', ...LOG, preferences, ...handled),
  );
const VALID_PREFERENCES = calls('getHttpConfigFromRequest', 'E.bimap() callback');
const NEW_ERROR = calls('ProblemJsonError.fromTemplate', 'new ProblemJsonError');
const SEND_ERROR = calls('TE.mapLeft() callback', 'ProblemJsonError.toProblemJson', ...LOG);

/**
 * Expected steps of sorting the resources. `templated` has one value for each call of `calculateMatchScore`: six values, since V8 sorts
 * four resources with three comparisons.
 */
const scores = (...templated: boolean[]) =>
  calls(
    'sortEndpointsByMatch',
    ...templated.map((isTemplated) =>
      calls('O.contramap() callback', calls('calculateMatchScore', ...(isTemplated ? ['isTemplated'] : []))),
    ),
  );
const fragments = (count: number) => calls('fragmentize', ...repeat(count, 'decodePathFragment'));
/** Expected steps of comparing the path of a resource with the path of the request. `counts`: the numbers of fragments of the two paths. */
const resource = (counts: [number, number], compared: string[], ...matched: string[]) =>
  calls(
    'resources.map() callback',
    calls('matchPath', ...counts.map(fragments), ...compared),
    calls('E.chain() callback', ...matched),
  );
/** Expected steps of a request whose route the router does not find. */
const notFound = (sorted: string, resources: string[], ...filtered: string[]) =>
  request(
    VALID_PREFERENCES,
    'E.map() callback',
    calls(
      'TE.chain() callback',
      calls(
        'request',
        calls(
          'route',
          sorted,
          calls('E.chain() callback', ...resources),
          calls(
            'E.chain() callback',
            ...repeat(4, 'candidateMatches.filter() callback'),
            ...filtered,
            NEW_ERROR,
          ),
        ),
        calls('E.fold() callback', 'isProxyConfig'),
      ),
    ),
    SEND_ERROR,
  );

const getRuns = testService({
  service,
  scenario,
  flows: {
    6: request(
      calls('getHttpConfigFromRequest', 'D.parse() callback', calls('E.bimap() callback', NEW_ERROR)),
      SEND_ERROR,
    ),
    // The router compares the resources in the order of their scores, the highest first.
    13: notFound(
      scores(false, false, true, false, true, true),
      [
        ...repeat(2, resource([2, 2], ['isTemplated', 'isTemplated', 'escapeRegExp'], 'matchByMethod')),
        ...repeat(2, resource([1, 2], [])),
      ],
      ...repeat(2, 'pathMatches.filter() callback'),
    ),
    14: notFound(scores(true, true, true, true, true, true), [
      ...repeat(2, resource([2, 1], [])),
      ...repeat(2, resource([1, 1], ['isTemplated'])),
    ]),
    15: ['Router.on.options() callback', calls('Router.on.options() callback', 'setCommonCORSHeaders')].join(
      '\n',
    ),
  },
  // Prism throws no error: its functions return an error as the left side of an Either.
  errors: {},
  secrets: [API_KEY],
});

test('a function that another function returned is below the function that calls it', (context) => {
  const trace = getRuns(context).traces[0];
  const { stepId } = findStep(trace, 'mockCall');
  const called = trace?.flow.filter(({ parentStepId }) => parentStepId === stepId);
  // `R.chain` calls the function that it received with a result, and then the reader that this function returns.
  expect(called?.map(({ stepName }) => stepName)).toEqual([
    ...['mock', 'withLogger() callback'],
    'R.chain() callback',
    'withLogger() callback',
    ...['R.chain() callback', 'RE.chain() callback'],
    'anonymous in helpers.negotiateOptionsBySpecificResponse',
    'R.chain() callback',
    ...['R.chain() callback', 'anonymous in assembleResponse'],
    ...['R.chain() callback', 'anonymous in R.chain() callback'],
  ]);
});

test('the functions that check a request without a key are the calls in the source', (context) => {
  const trace = getRuns(context).traces[9];
  const { stepId } = findStep(trace, 'validateSecurity');
  expect(trace === undefined ? '' : printFlow(trace, stepId)).toBe(
    calls(
      'O.fold() callback',
      calls(
        'getValidationResults',
        calls(
          'getAuthenticationArray',
          calls(
            'securitySchemes.map() callback',
            calls(
              'securitySchemePairs.map() callback',
              calls('findSecurityHandler', 'createDiagnosticFor'),
              calls(
                'E.chain() callback',
                calls(
                  'apiKeyInHeader',
                  calls('when', calls('E.fromPredicate() callback', 'genUnauthorisedErr')),
                ),
              ),
              'E.mapLeft() callback',
            ),
          ),
        ),
      ),
      calls('E.bimap() callback', calls('setErrorTag', 'authResults.map() callback')),
    ),
  );
});

test('a stream that all requests share calls its listeners below the function that wrote to it', (context) => {
  // A request without an `accept` header has four lines at the level `info`.
  for (const trace of getRuns(context).traces.slice(scenario.inTurn.length)) {
    const lines = trace?.flow.filter(({ stepName }) => stepName === 'split() callback') ?? [];
    const parents = lines.map(
      ({ parentStepId }) => trace?.flow.find(({ stepId }) => stepId === parentStepId)?.stepName,
    );
    expect(parents).toEqual([
      'handler',
      'withLogger() callback',
      'E.map() callback',
      'anonymous in mockResponseLogger',
    ]);
  }
});

test('a function at the end of a functional pipeline shows the value that it returned', (context) => {
  const step = findStep(getRuns(context).traces[9], 'genUnauthorisedErr');
  expect(step.variables?.returnValue).toMatchObject({ message: 'Invalid security scheme used', code: 401 });
});
