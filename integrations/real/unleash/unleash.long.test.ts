import { expect, test } from 'vitest';
import { findStep, printFlow } from '../harness/flow.ts';
import { testService } from '../harness/test-service.ts';
import { ADMIN_TOKEN, CLIENT_TOKEN, scenario, service } from './service.ts';

const getRuns = testService({
  service,
  scenario,
  flows: {},
  errors: {},
  secrets: [ADMIN_TOKEN, CLIENT_TOKEN].map((token) => token.slice(token.indexOf('.') + 1)),
});

test('the store that a service calls and the store’s query are steps below the service', (context) => {
  const trace = getRuns(context).traces[5];
  const validated = findStep(trace, 'FeatureToggleService.validateFeatureBelongsToProject');
  expect(trace === undefined ? '' : printFlow(trace, validated.stepId)).toBe(
    `
FeatureToggleStore.getProjectId
  SELECT features
  this.db.first().from().where().then() callback`.trim(),
  );
});

test('a query of knex is one step, with the details that the driver reports', (context) => {
  const { flow = [] } = getRuns(context).traces[5] ?? {};
  const queries = flow.filter(({ stepType }) => stepType === 'database');
  expect(queries.map(({ stepName }) => stepName)).toEqual([
    'SELECT features',
    'SELECT dependent_features',
    'SELECT dependent_features',
    'SELECT feature_lifecycles',
    'WITH events',
    'SELECT feature_link',
    'WITH client_metrics_env',
  ]);
  for (const { metadata } of queries) expect(metadata).toMatchObject({ 'db.system.name': 'postgresql' });
});

test("an async function that returns another function’s promise ends with the promise and shows the promise's value", (context) => {
  const { traces } = getRuns(context);
  const all = findStep(traces[1], 'TagTypeService.getAll');
  const query = findStep(traces[1], 'SELECT tag_types');
  expect(all.duration).toBeGreaterThanOrEqual(query.duration);
  expect(all.variables?.returnValue).toMatchObject([{ name: 'simple' }]);
});

test('a file name such as api-token-service.ts is not redacted as a secret', (context) => {
  const step = findStep(getRuns(context).traces[5], 'ApiTokenService.getUserForToken');
  expect(step.filePath).toBe('unleash-server/src/lib/services/api-token-service.ts');
});
