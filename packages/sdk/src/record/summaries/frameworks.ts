import type { Summary } from './summary.ts';

/** Objects of web frameworks, such as those that they pass to middleware and handlers. */
export const frameworkSummaries: readonly Summary[] = [
  {
    // The properties of Koa's context are getters that read its request and response, so the values are read from the request and the
    // response.
    as: 'Context',
    has: ['onerror', 'throw', 'cookies', 'assert'],
    shows: [
      'method: req.method',
      'url: req.url',
      'request.body: request.body',
      'status: res.statusCode',
      'body: response._body',
    ],
    but: 'request response app req res originalUrl respond matched router routeMatched captures routerPath routerName cookies',
    hidesPrivate: true,
  },
  {
    as: 'Request',
    has: ['idempotent', 'querystring', 'charset'],
    shows: ['method: req.method', 'url: req.url', 'body'],
    but: 'app req res ctx response originalUrl params',
    hidesPrivate: true,
  },
  {
    as: 'Response',
    has: ['lastModified', 'headerSent', 'vary', 'flushHeaders'],
    shows: ['status: res.statusCode', 'body: _body'],
  },
  { as: 'Koa', has: ['createContext', 'handleRequest', 'callback'], shows: ['env', 'proxy'] },
  { has: ['allowedMethods', 'register', 'routes'], shows: ['prefix: opts.prefix'] },
  // Hides the fields of `Cookies` objects, because they contain the keys that sign cookies.
  { named: 'Cookies', has: ['get', 'set'] },
  { named: 'Keygrip', has: ['sign', 'verify'] },
  // Hapi.
  {
    has: ['_execute', '_lifecycle', 'generateResponse'],
    shows: ['method', 'path', 'params', 'query', 'payload', 'state', 'auth', 'pre', 'app'],
  },
  { named: 'Toolkit', has: ['authenticated', 'redirect', 'unstate'] },
  { as: 'Server', has: ['decoder', 'ext', 'inject', 'initialize'], shows: ['uri: info.uri'] },
  {
    as: 'Response',
    has: ['_marshal', '_passThrough', 'takeover'],
    shows: ['statusCode', 'headers', 'source'],
  },
  // Fastify.
  {
    as: 'Request',
    has: ['compileValidationSchema', 'getValidationFunction'],
    shows: ['id', 'method: raw.method', 'url: raw.url', 'params', 'query', 'body'],
    but: 'raw log validationContext server',
    hidesPrivate: true,
  },
  {
    as: 'Reply',
    has: ['callNotFound', 'compileSerializationSchema'],
    shows: ['statusCode: raw.statusCode'],
    but: 'raw request log server',
    hidesPrivate: true,
  },
  { as: 'FastifyInstance', has: ['addContentTypeParser', 'decorateReply', 'printRoutes'] },
  // Hono.
  {
    has: ['executionCtx', 'event', 'res', 'var'],
    shows: ['method: env.incoming.method', 'url: env.incoming.url', 'finalized', 'error'],
  },
  { has: ['parseBody', 'addValidatedData'], shows: ['path'] },
  // Nest. An operation of GraphQL has four arguments; a request has three.
  {
    as: 'ExecutionContext',
    has: ['switchToHttp', 'switchToRpc', 'getArgByIndex'],
    needs: ['args.3'],
    shows: [
      'type: contextType',
      'class: constructorRef',
      'handler',
      'root: args.0',
      'args: args.1',
      'context: args.2',
      'info: args.3',
    ],
  },
  {
    as: 'ExecutionContext',
    has: ['switchToHttp', 'switchToRpc', 'getArgByIndex'],
    shows: ['type: contextType', 'class: constructorRef', 'handler', 'request: args.0', 'response: args.1'],
  },
  // i18next.
  { has: ['changeLanguage', 'getFixedT'], shows: ['language'] },
  { has: ['useGlobalPipes', 'useGlobalFilters', 'getHttpServer'] },
  { as: 'ModuleRef', has: ['introspect', 'instantiateClass'] },
  { has: ['addModule', 'getModules'] },
  { as: 'Module', has: ['addCoreProviders', 'addProvider'], shows: ['class: _metatype'] },
  { has: ['registerExceptionHandler', 'getRequestUrl', 'reply'] },
];
