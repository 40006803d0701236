import { Collector } from '@throughline/testkit/collector';
import type { PostedTrace } from '@throughline/testkit/posted';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { App } from './harness/app.ts';
import { findLine, step, tree } from './harness/trees.ts';

const ARTICLE = 'query Article($id: ID!) { article(id: $id) { title author { name } } }';

interface Server {
  readonly name: string;
  readonly env: NodeJS.ProcessEnv;
  readonly path?: string;
  readonly route?: string;
  /** Expected steps of an article request. If absent, the steps are the schema's resolvers. */
  readonly article?: unknown[];
  /** True if the framework under the GraphQL server has routes. */
  readonly hasRoutes?: boolean;
}

/** The queries that are sent to each server, in this order. */
const questions: readonly { readonly query: string; readonly variables?: object }[] = [
  { query: ARTICLE, variables: { id: '1' } },
  { query: ARTICLE, variables: { id: '1' } },
  { query: ARTICLE, variables: { id: '2' } },
  { query: 'mutation { publish(title: "New") { title } }' },
  { query: '{ hello }' },
  { query: 'query Wrong { nothing }' },
  { query: 'query Wrong { nothing }' },
];

const find = ['findArticle', 'articles.find() callback'];
const author = ['findAuthor', 'readAuthor'];

const servers: readonly Server[] = [
  { name: 'Apollo Server', env: { SERVER: 'apollo' }, path: '/' },
  { name: 'GraphQL Yoga', env: { SERVER: 'yoga' } },
  { name: 'Mercurius, at first and compiled', env: { SERVER: 'mercurius' }, hasRoutes: true },
  ...['graphql15', 'graphql16', 'graphql17'].map((name) => ({
    name: `${name} and Express`,
    env: { SERVER: 'express', GRAPHQL: name },
    path: '/tenants/7/graphql',
    route: '/tenants/:tenant/graphql',
    // `graphql` calls `author` when `withAuthor`, which created this function, has ended.
    article: [
      ['rootValue.article', find, 'withAuthor'],
      ['author', author],
    ],
    hasRoutes: true,
  })),
];

describe.each(servers)(
  '$name',
  ({ env, path = '/graphql', route = path, article = [find, author], hasRoutes = false }) => {
    const collector = new Collector();
    const answers: unknown[] = [];
    let app: App;
    let traces: readonly PostedTrace[];

    function findTrace(index: number): PostedTrace {
      const trace = traces[index];
      if (trace === undefined) throw new Error(`no trace ${index}`);
      return trace;
    }

    beforeAll(async () => {
      app = new App('graphql/servers.js', { collector: await collector.start(), env });
      const url = await app.ready();
      for (const question of questions) {
        const response = await fetch(url + path, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(question),
        });
        answers.push(await response.json());
      }
      if (env.SERVER === 'express') answers.push(await (await fetch(`${url}/report`)).json());
      const sent = await collector.awaitTraces(path, questions.length);
      traces = sent.toSorted((a, b) => a.timing.startTime.localeCompare(b.timing.startTime));
    });
    afterAll(async () => {
      await app.stop();
      await collector.stop();
      expect(app.stderr).toBe('');
    });

    test.each([0, 1])(
      "the name of an operation is part of the route, and the operation's resolvers are steps below the operation (call %i)",
      (call) => {
        const trace = findTrace(call);
        expect(answers[call]).toEqual({ data: { article: { title: 'Article 1', author: { name: 'ada' } } } });
        expect(trace.request.route).toBe(`${route} query Article`);
        expect(trace.error.hasError).toBe(false);
        expect(trace.attributes).toMatchObject({
          'graphql.operation.type': 'query',
          'graphql.operation.name': 'Article',
        });
        const operation = step(trace, 'query Article');
        expect(operation).toMatchObject({ stepType: 'handler', inputs: { variables: { id: '1' } } });
        expect(tree(trace, operation.stepId)).toEqual(article);
        const line = findLine('graphql/lib/library.js', 'function findAuthor');
        expect(step(trace, 'findAuthor').lineNumber).toBe(line);
      },
    );

    test('an error in a response with status 200 marks the request as failed', () => {
      const trace = findTrace(2);
      expect(answers[2]).toMatchObject({
        data: { article: null },
        errors: [{ path: ['article', 'author'] }],
      });
      expect(trace.response.statusCode).toBe(200);
      expect(trace.error).toEqual({
        hasError: true,
        errorMessage: 'no author nobody',
        errorCode: 'E_AUTHOR',
      });
      expect(trace.attributes?.['graphql.error.path']).toBe('article.author');
      expect(step(trace, 'query Article').error?.message).toBe('no author nobody');
      expect(step(trace, 'readAuthor').error?.stack).toContain('library.js');
    });

    test('mutations and anonymous queries have different routes', () => {
      expect(findTrace(3).request.route).toBe(`${route} mutation { publish }`);
      expect(findTrace(4).request.route).toBe(`${route} query { hello }`);
      expect(findTrace(4).attributes?.['graphql.operation.name']).toBeUndefined();
    });

    test('the values of a resolver show the operation, the types and the source text instead of the whole schema', () => {
      const trace = findTrace(4);
      const summarize = (name: string, properties: object) => ({ $type: 'object', class: name, properties });
      expect(step(trace, 'greet').inputs).toMatchObject({
        info: summarize('GraphQLResolveInfo', {
          fieldName: 'hello',
          parentType: 'Query',
          returnType: 'String!',
          path: 'hello',
          operation: 'query',
        }),
      });
      expect(step(trace, 'isNamed').inputs).toEqual({
        node: summarize('ASTNode', { kind: 'Field', name: 'hello', source: 'hello' }),
        type: summarize('GraphQLNonNull', { type: 'String!' }),
        schema: summarize('GraphQLSchema', { query: 'Query', mutation: 'Mutation' }),
      });
    });

    test.each([5, 6])(
      'the trace of an invalid operation is marked as failed, and has the error message of the response (call %i)',
      (call) => {
        const error = { message: expect.stringContaining('Cannot query field "nothing"') };
        expect(answers[call]).toMatchObject({ errors: [error] });
        expect(findTrace(call).request.route).toBe(hasRoutes ? route : undefined);
        expect(findTrace(call).error).toMatchObject({ hasError: true, errorMessage: error.message });
      },
    );

    test.runIf(env.SERVER === 'express')(
      'an operation that a handler runs itself is a step, and does not change the route or error of the request',
      async () => {
        expect(answers.at(-1)).toBe('world');
        const trace = await collector.trace('/report');
        expect(trace.request.route).toBe('/report');
        expect(trace.error.hasError).toBe(false);
        expect(step(trace, 'query { hello, article }').error?.message).toBe('no author nobody');
      },
    );
  },
);
