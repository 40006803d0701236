import { expect, test } from 'vitest';
import { calls, repeat } from '../harness/calls.ts';
import { findStep, isBelow, printFlow } from '../harness/flow.ts';
import { testService } from '../harness/test-service.ts';
import { ADMIN_SECRET, scenario, service } from './service.ts';

/** Expected steps of the hooks of `capability.js`, of sql-mapper's `index.js`, and of `entity-to-routes.js`. */
const BEFORE_PARSING = ['genReqId', 'onRequest hook', 'onRequest hook'];
const route = (name: string, ...steps: string[]) =>
  [...BEFORE_PARSING, 'preValidation hook', calls(name, ...steps)].join('\n');

/**
 * Expected steps at the start of each hook of db-authorization. With the administrator's secret, `request.user` is a proxy whose trap `get`
 * finds the role.
 */
const FIND_RULE = [
  'useOriginal',
  'getRequestFromContext',
  calls(
    'findRuleForRequestUser',
    ...['getRequestFromContext', 'setupUser'],
    calls('getRoles', 'get', 'rolesRaw.split().map() callback'),
    calls('findRule', 'findRuleFirstMatch'),
  ),
];
const RULE_TO_WHERE = calls('fromRuleToWhere', 'getRequestFromContext');

/** Expected steps of `entity.find`, with the hook that db-authorization binds before it. */
const find = (...found: string[]) =>
  calls('find', ...FIND_RULE, 'checkFieldsFromRule', RULE_TO_WHERE, calls('find', 'getDB', ...found));
const allFields = (count: number) => ['computeFields', ...repeat(count, 'computeFields().map() callback')];
/** Expected steps of computing criteria with one value that is no pattern. */
const CRITERIA = calls('computeCriteria', calls('computeCriteriaValue', 'isVectorType'));
const query = (name: string) => ['onQueryStart', name, 'onQueryResults'];
const row = (columns: number) => calls('fixOutput', ...repeat(columns, 'isVectorType'));

/** Expected steps of `entity.delete` for a movie that has quotes. */
const remove = (...computed: string[]) =>
  calls(
    'delete',
    ...FIND_RULE,
    RULE_TO_WHERE,
    calls(
      '_delete',
      'getDB',
      ...computed,
      CRITERIA,
      calls('deleteAll', 'tableName', 'onQueryStart', 'DELETE public.movies', 'onQueryError'),
    ),
  );

const FOREIGN_KEY =
  'update or delete on table "movies" violates foreign key constraint "quotes_movie_id_fkey" on table "quotes"';

const getRuns = testService({
  service,
  scenario,
  flows: {
    1: route(
      'GET /movies',
      ...['parseNullableValue', 'transformQueryToCursor'],
      find(
        ...allFields(3),
        // A pattern for a column of type text needs no cast.
        'computeCriteria',
        ...['tableName', 'opts.orderBy.map() callback', 'sanitizeLimit'],
        ...query('SELECT public.movies'),
        ...repeat(2, row(3)),
      ),
      calls('count', 'getDB', 'tableName', 'computeCriteria', ...query('SELECT public.movies')),
    ),
    // `movies` has no rule for `count`. A movie's quotes have a relation, which `computeFields` compares with each field.
    4: route(
      'GET /movies/:id/quotes',
      calls('count', 'getDB', 'tableName', CRITERIA, ...query('SELECT public.movies')),
      find(
        calls('computeFields', ...repeat(2, calls('fields.map() callback', 'relations.some() callback'))),
        ...repeat(2, 'computeFields().map() callback'),
        CRITERIA,
        ...['tableName', 'sanitizeLimit'],
        ...query('SELECT public.quotes'),
        ...repeat(2, row(2)),
      ),
    ),
    7: route(
      'POST /movies',
      calls(
        'save',
        ...FIND_RULE,
        ...['checkFieldsFromRule', 'checkInputFromRuleFields'],
        // Reads the author from `request.user`.
        'get',
        calls(
          'save',
          'getDB',
          ...allFields(3),
          calls('fixInput', ...repeat(2, 'isVectorType')),
          calls(
            'insertOne',
            calls(
              'insertOne',
              ...repeat(2, 'inputKeys.map() callback'),
              ...repeat(2, 'Object.keys().map() callback'),
              'tableName',
              ...query('INSERT public.movies'),
            ),
          ),
          row(3),
        ),
      ),
    ),
    10: route('DELETE /movies/:id', remove(...allFields(3))),
    12: BEFORE_PARSING.join('\n'),
    // `onRequest` and the route are Mercurius's. The resolver has no name in the source: it is assigned to `resolvers.Mutation[deleteKey]`.
    16: [
      ...BEFORE_PARSING,
      'onRequest',
      calls(
        'POST /graphql',
        calls(
          'mutation { deleteMovies }',
          calls(
            'anonymous in constructGraph',
            'info.fieldNodes.selectionSet.selections.map() callback',
            remove(calls('computeFields', 'fields.map() callback'), 'computeFields().map() callback'),
          ),
        ),
      ),
    ].join('\n'),
  },
  errors: {
    5: 'operation not allowed',
    6: 'operation not allowed',
    8: "body must have required property 'title'",
    10: FOREIGN_KEY,
    12: "Body is not valid JSON but content-type is set to 'application/json'",
    13: 'Param limit=1000 not allowed. Max accepted value 100.',
    16: FOREIGN_KEY,
    17: 'Cannot query field "price" on type "Movie".',
  },
  secrets: [ADMIN_SECRET],
});

/** Returns the functions that threw the error of a request, and the functions that passed it on. */
const findFailed = (context: Parameters<typeof getRuns>[0], nth: number) => {
  const failed = getRuns(context).traces[nth]?.flow.filter(({ error }) => error != null) ?? [];
  const [passedOn, thrown] = [true, false].map((isRethrown) =>
    failed
      .filter(({ metadata }) => 'rethrown' in Object(metadata) === isRethrown)
      .map(({ stepName }) => stepName),
  );
  return { passedOn, thrown };
};

test('the function that throws has the error, and the functions above it pass the error on', (context) => {
  expect(findFailed(context, 13)).toEqual({
    passedOn: ['GET /movies', 'find', 'find'],
    thrown: ['sanitizeLimit'],
  });
});

// @databases/pg creates an error of its own when the query has failed. `deleteAll` is the service's first function that receives this
// error.
test('the step of a failing query has the driver’s error, and the function that made the query has the library’s error', (context) => {
  expect(findFailed(context, 16)).toEqual({
    passedOn: ['mutation { deleteMovies }', 'anonymous in constructGraph', 'delete', '_delete'],
    thrown: ['deleteAll', 'DELETE public.movies'],
  });
});

test('the steps that resolve a field for each item of a list are siblings, and each has its own query', (context) => {
  const trace = getRuns(context).traces[14];
  const relations = trace?.flow.filter(({ stepName }) => stepName === 'resolveRelation') ?? [];
  expect(relations).toHaveLength(3);
  for (const { stepId } of relations)
    expect(trace === undefined ? '' : printFlow(trace, stepId)).toContain('SELECT public.quotes');
});

test('a query shows its values and its rows', (context) => {
  expect(findStep(getRuns(context).traces[7], 'INSERT public.movies')).toMatchObject({
    inputs: { values: ['Dune', 'ada'] },
    outputs: { rows: 1, firstRows: [{ id: 4, title: 'Dune', author: 'ada' }] },
  });
});

// The second `setupUser` waits for a library, which returns the proxy from an async function. JavaScript then reads `then` of the proxy.
test('a function that a library calls is below the function that waits for the library, and not below the function that created it', (context) => {
  const trace = getRuns(context).traces[9];
  const [first, second] = trace?.flow.filter(({ stepName }) => stepName === 'setupUser') ?? [];
  const trap = trace?.flow.find(
    ({ stepName, variables }) => stepName === 'get' && Object(variables?.parameters).key === 'then',
  );
  if (first === undefined || second === undefined || trap === undefined) throw new Error('a step is missing');
  expect(isBelow(trace, trap, first)).toBe(false);
  expect(isBelow(trace, trap, second)).toBe(true);
});
