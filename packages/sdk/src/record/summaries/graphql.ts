import { findClassName } from '../snapshot/class-kind.ts';
import { getPrototypeOf, isProxy, sliceString } from '../writer/primordials.ts';
import { MAX_CHAIN, readDataAt } from './read-data.ts';
import type { PlainSummary, Summary } from './summary.ts';

const { toStringTag } = Symbol;

/** Objects of graphql with a class of their own. Each of them refers to the whole schema, or to the source text and all of its tokens. */
export const graphqlSummaries: readonly Summary[] = [
  {
    has: ['getQueryType', 'getTypeMap', 'toConfig'],
    shows: ['query: _queryType.name', 'mutation: _mutationType.name', 'subscription: _subscriptionType.name'],
  },
  // All named types and directives; in version 17, also their fields and arguments.
  { has: ['toConfig', 'toString', 'toJSON', toStringTag], shows: ['name'] },
  // Lists and non-null types.
  {
    has: ['toString', 'toJSON', toStringTag],
    needs: ['ofType'],
    shows: ['type'],
    reads: { type: formatType },
  },
  { named: 'Location', has: ['toJSON'], needs: ['startToken'], shows: ['start', 'end'] },
  { named: 'Token', has: ['toJSON'], needs: ['prev', 'column'], shows: ['kind', 'start', 'end', 'value'] },
];

/** Plain objects of GraphQL servers, by the names of TypeScript's types for them. */
export const plainSummaries: readonly PlainSummary[] = [
  {
    first: 'fieldName',
    as: 'GraphQLResolveInfo',
    needs: ['fieldNodes', 'schema', 'operation.operation', 'parentType.name'],
    shows: [
      'fieldName',
      'parentType: parentType.name',
      'returnType',
      'path',
      'operation: operation.operation',
      'operationName: operation.name.value',
      'variableValues',
    ],
    reads: {
      returnType: (info) => formatType(readDataAt(info, ['returnType'])),
      path: formatPath,
    },
    but: 'fieldNodes schema fragments rootValue signal getAbortSignal getAsyncHelpers cacheControl',
  },
  {
    first: 'kind',
    as: 'ASTNode',
    needs: ['loc.start', 'loc.end', 'loc.source.body'],
    shows: ['kind', 'operation', 'name: name.value', 'source'],
    reads: { source: readSource },
  },
  // Apollo Server.
  {
    first: 'logger',
    as: 'GraphQLRequestContext',
    needs: ['schema', 'request', 'overallCachePolicy'],
    shows: [
      'request.query',
      'request.operationName',
      'request.variables',
      'operationName',
      'contextValue',
      'context',
      'errors',
    ],
  },
];

/** Formats a type as in a schema, such as `[Article!]!`. */
function formatType(type: unknown): string | undefined {
  let before = '';
  let after = '';
  let link = type;
  for (let steps = 0; isOrdinary(link) && steps < MAX_CHAIN; steps++) {
    const name = readDataAt(link, ['name']);
    if (typeof name === 'string') return before + name + after;
    const wrapper = findClassName(getPrototypeOf(link));
    if (wrapper === 'GraphQLNonNull') after = `!${after}`;
    else if (wrapper === 'GraphQLList') {
      before += '[';
      after = `]${after}`;
    }
    link = readDataAt(link, ['ofType']);
  }
  return undefined;
}

/** Formats the path of a field in a result, such as `articles.0.author`. */
function formatPath(info: object): string {
  let text = '';
  let link = readDataAt(info, ['path']);
  for (let steps = 0; isOrdinary(link) && steps < MAX_CHAIN; steps++) {
    const key = readDataAt(link, ['key']);
    if (typeof key === 'string' || typeof key === 'number') text = text === '' ? `${key}` : `${key}.${text}`;
    link = readDataAt(link, ['prev']);
  }
  return text;
}

/** Returns the part of the source text from which a node was parsed. */
function readSource(node: object): string | undefined {
  const body = readDataAt(node, ['loc', 'source', 'body']);
  const start = readDataAt(node, ['loc', 'start']);
  const end = readDataAt(node, ['loc', 'end']);
  return typeof body === 'string' && typeof start === 'number' && typeof end === 'number'
    ? sliceString(body, start, end)
    : undefined;
}

function isOrdinary(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !isProxy(value);
}
