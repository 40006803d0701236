import { Redactor } from '@throughline/contract/redaction';
import { expect, test } from 'vitest';
import { plainSnapshotter } from '../../../test/plain-snapshotter.ts';
import { CaptureRules } from '../capture/capture-rules.ts';
import { defaultLimits } from '../capture/limits.ts';

function take(value: unknown, rules?: CaptureRules) {
  const snapshotter = plainSnapshotter(defaultLimits, rules);
  snapshotter.beginStep();
  return snapshotter.take(value, []);
}

/** Classes with the members of graphql's classes. Getters of the prototypes throw, because no capture must call them. */
class GraphQLNamed {
  name: string;
  description: unknown = { large: true };
  constructor(name: string) {
    this.name = name;
  }
  toConfig(): void {}
  toString(): string {
    throw new Error('called');
  }
  toJSON(): void {}
  get [Symbol.toStringTag](): string {
    throw new Error('called');
  }
}
class GraphQLList {
  ofType: unknown;
  constructor(ofType: unknown) {
    this.ofType = ofType;
  }
  toString(): string {
    throw new Error('called');
  }
  toJSON(): void {}
  get [Symbol.toStringTag](): string {
    throw new Error('called');
  }
}
class GraphQLNonNull extends GraphQLList {
  override toString(): string {
    throw new Error('called');
  }
  override toJSON(): void {}
  override get [Symbol.toStringTag](): string {
    throw new Error('called');
  }
}
class GraphQLSchema {
  _typeMap = { Query: new GraphQLNamed('Query') };
  _queryType = this._typeMap.Query;
  _mutationType = undefined;
  getQueryType(): void {}
  getTypeMap(): void {}
  toConfig(): void {}
}
class Location {
  startToken = { kind: '<SOF>', next: { kind: 'Name' } };
  source: object;
  start: number;
  end: number;
  constructor(body: string, part: string) {
    this.source = { body };
    this.start = body.indexOf(part);
    this.end = this.start + part.length;
  }
  toJSON(): void {}
}

const body = 'query List { articles(password: "hunter22") { id } }';
const field = {
  kind: 'Field',
  name: { kind: 'Name', value: 'articles', loc: new Location(body, 'articles') },
  loc: new Location(body, 'articles(password: "hunter22") { id }'),
};
const operation = {
  kind: 'OperationDefinition',
  operation: 'query',
  name: { kind: 'Name', value: 'List', loc: new Location(body, 'List') },
  selectionSet: { kind: 'SelectionSet', selections: [field], loc: new Location(body, '{') },
  loc: new Location(body, body),
};
const schema = new GraphQLSchema();
const info = {
  fieldName: 'title',
  fieldNodes: [field],
  returnType: new GraphQLNonNull(new GraphQLList(new GraphQLNonNull(new GraphQLNamed('Article')))),
  parentType: new GraphQLNamed('Query'),
  path: { prev: { prev: { key: 'articles' }, key: 0, typename: 'Query' }, key: 'title', typename: 'Article' },
  schema,
  fragments: {},
  rootValue: undefined,
  operation,
  variableValues: { id: 7, password: 'hunter22' },
};

function summarize(name: string, properties: object): object {
  return { $type: 'object', class: name, properties };
}

test('the info of a resolver shows the field, its types and path, the operation and the redacted variables', () => {
  expect(take({ ...info, cost: 4 }, new CaptureRules(new Redactor()))).toEqual(
    summarize('GraphQLResolveInfo', {
      fieldName: 'title',
      parentType: 'Query',
      returnType: '[Article!]!',
      path: 'articles.0.title',
      operation: 'query',
      operationName: 'List',
      variableValues: { id: 7, password: { $type: 'redacted', of: 'string' } },
      cost: 4,
    }),
  );
});

test('a schema shows its root types, and a type shows its name', () => {
  const { parentType, returnType } = info;
  expect([schema, parentType, returnType].map((value) => take(value))).toEqual([
    summarize('GraphQLSchema', { query: 'Query' }),
    summarize('GraphQLNamed', { name: 'Query' }),
    summarize('GraphQLNonNull', { type: '[Article!]!' }),
  ]);
});

test('a node of a document shows its redacted source text, without tokens', () => {
  const source = 'articles(password: "hunter22") { id }';
  expect(take(field)).toEqual(summarize('ASTNode', { kind: 'Field', name: 'articles', source }));
  expect(take(operation)).toEqual(
    summarize('ASTNode', { kind: 'OperationDefinition', operation: 'query', name: 'List', source: body }),
  );
  expect(JSON.stringify(take(field, new CaptureRules(new Redactor())))).not.toContain('hunter22');
  expect(take(field.loc)).toEqual(summarize('Location', { start: 13, end: 50 }));
});

test("the context of Apollo's plugins shows the request, the host's context and the errors", () => {
  const request = { query: '{ me }', operationName: 'Me', variables: { id: 1 }, http: {} };
  const contextValue = { user: 'ada' };
  const context = {
    logger: {},
    cache: {},
    schema,
    request,
    response: {},
    contextValue,
    metrics: {},
    overallCachePolicy: {},
    document: { kind: 'Document', definitions: [operation], loc: operation.loc },
  };
  expect(take(context)).toEqual(
    summarize('GraphQLRequestContext', {
      'request.query': '{ me }',
      'request.operationName': 'Me',
      'request.variables': { id: 1 },
      contextValue,
    }),
  );
});

test('the object of i18next that a request refers to shows its language', () => {
  class I18n {
    language = 'de';
    services = { resourceStore: { de: {} } };
    changeLanguage(): void {}
    getFixedT(): void {}
  }
  expect(take(new I18n())).toEqual(summarize('I18n', { language: 'de' }));
});

test('the arguments of a resolver in a context of Nest have the names that GraphQL gives them', () => {
  class ExecutionContextHost {
    args: unknown[];
    contextType: string;
    constructor(args: unknown[], contextType: string) {
      this.args = args;
      this.contextType = contextType;
    }
    switchToHttp(): void {}
    switchToRpc(): void {}
    getArgByIndex(): void {}
  }
  expect(take(new ExecutionContextHost([{ id: 1 }, { first: 2 }, { user: 'ada' }, {}], 'graphql'))).toEqual(
    summarize('ExecutionContext', {
      type: 'graphql',
      root: { id: 1 },
      args: { first: 2 },
      context: { user: 'ada' },
      info: {},
    }),
  );
  expect(take(new ExecutionContextHost([{ id: 1 }, { sent: true }, () => {}], 'http'))).toEqual(
    summarize('ExecutionContext', { type: 'http', request: { id: 1 }, response: { sent: true } }),
  );
});

test('an object that has only a part of the properties of a GraphQL object shows all of them', () => {
  for (const value of [
    { kind: 'shop', loc: { start: 1, end: 2, city: 'Bern' }, name: { value: 'Tea' } },
    { kind: 'file', loc: { source: { path: '/a' } }, size: 3 },
    { fieldName: 'title', path: 'a.b', schema: { type: 'text' } },
    { fieldName: 'title', fieldNodes: [], schema: {}, operation: 'query', parentType: { name: 'Form' } },
    { logger: { level: 1 }, request: { query: 'a' }, schema: { version: 2 } },
  ])
    expect(take(value)).toEqual(value);
  class Location {
    start = 1;
    city = 'Bern';
    toJSON(): void {}
  }
  expect(take(new Location())).toEqual(summarize('Location', { start: 1, city: 'Bern' }));
  class GraphQLSchema {
    version = 2;
  }
  expect(take(new GraphQLSchema())).toEqual(summarize('GraphQLSchema', { version: 2 }));
});

test('an accessor or a proxy in place of a GraphQL object runs no code', () => {
  let ran = 0;
  const run = () => {
    ran++;
    return undefined;
  };
  const guarded = new Proxy({}, { get: run, getOwnPropertyDescriptor: run, getPrototypeOf: () => null });
  for (const name of ['path', 'returnType', 'parentType', 'operation', 'schema'])
    for (const descriptor of [
      { get: run, enumerable: true },
      { value: guarded, enumerable: true },
    ])
      take(Object.defineProperty({ ...info }, name, descriptor));
  for (const loc of [guarded, { start: 0, end: 1, source: guarded }])
    take({ kind: 'Field', name: guarded, loc });
  const endless: { key: string; prev?: object } = { key: 'a' };
  endless.prev = endless;
  expect(take({ ...info, path: endless })).toMatchObject({ properties: { fieldName: 'title' } });
  expect(ran).toBe(0);
});
