import { isThorough, pickRows } from '@throughline/testkit/thorough';

/**
 * An app in `fixtures/frameworks`: how it is started, and what its traces contain. All of these apps do the same, so their traces differ
 * only in these fields.
 */
export interface Framework {
  readonly name: string;
  readonly script: string;
  readonly env?: NodeJS.ProcessEnv;
  /** The steps of an order request, given the steps that the handler calls. */
  order(called: readonly unknown[]): unknown[];
  /**
   * `source`: text in the line that declares the order handler. `step`: name of its step. Default: `function placeOrder` and `placeOrder`.
   */
  readonly handler?: readonly [source: string, step: string];
  /** The step name of the handler of `/text`, which is an unnamed function. */
  readonly unnamed?: string;
  /** The name of the step that responds to an error. */
  readonly answers?: string;
  /** The route of an order request; null if the framework has no routes. */
  readonly route?: string | null;
  /** True for a server without a framework. Such a server handles its own errors, so the SDK reports no error. */
  readonly ownErrors?: boolean;
  /** The steps of an order request if no function is instrumented. If absent, these are the steps of {@link order} without `called`. */
  readonly bare?: readonly unknown[];
  /** Arguments that the framework passes, as the app's steps show them: class name, and property names in order. */
  readonly shown: readonly (readonly [step: string, input: string, type: string, names: string])[];
}

const expressRequest = 'url method params body tag';

export const frameworks: readonly Framework[] = [
  {
    name: 'Express 5',
    script: 'express.js',
    shown: [
      ['placeOrder', 'req', 'IncomingMessage', expressRequest],
      ['placeOrder', 'res', 'ServerResponse', 'statusCode locals'],
    ],
    order: (called) => ['jsonParser', 'urlencodedParser', 'tagRequest', ['placeOrder', ...called]],
    answers: 'answerError',
  },
  {
    name: 'Fastify 5',
    script: 'fastify.js',
    shown: [
      ['placeOrder', 'request', 'Request', 'id method url params query body tag checked'],
      ['placeOrder', 'reply', 'Reply', 'statusCode'],
    ],
    order: (called) => ['tagRequest', 'checkStock', ['placeOrder', ...called]],
    answers: 'answerError',
  },
  ...pickRows(['import', 'require'], { usually: 1 }).map((by) => ({
    name: `Koa 3 and its router, by ${by}`,
    script: 'koa.js',
    shown: [
      ['readBody', 'ctx', 'Context', 'method url status state'],
      ['placeOrder', 'ctx', 'Context', 'method url request.body status state params'],
    ] as const,
    env: { BY: by },
    bare: [['answerError', ['readBody', ['tagRequest', 'placeOrder']]]],
    order: (called: readonly unknown[]) => [
      ['answerError', ['readBody', ['tagRequest', ['placeOrder', ...called]]]],
    ],
    answers: 'answerError',
  })),
  {
    name: 'Hapi 21',
    script: 'hapi.js',
    shown: [
      ['placeOrder', 'request', 'Request', 'method path params query payload state auth pre app'],
      ['placeOrder', 'h', 'Toolkit', ''],
    ],
    order: (called) => ['tagRequest', 'checkStock', ['placeOrder', ...called], 'answerError'],
    answers: 'answerError',
    route: '/orders/{shop}',
  },
  ...pickRows(['require', 'import'], { usually: 1 }).map((by) => ({
    name: `Hono 4 on its server for Node, by ${by}`,
    script: 'hono.js',
    shown: [['placeOrder', 'c', 'Context', 'method url finalized']] as const,
    env: { BY: by },
    bare: [['tagRequest', ['checkStock', 'placeOrder']]],
    order: (called: readonly unknown[]) => [['tagRequest', ['checkStock', ['placeOrder', ...called]]]],
    answers: 'answerError',
  })),
  ...[
    { version: '12', adapter: 'express', before: ['jsonParser', 'urlencodedParser'] },
    { version: '12', adapter: 'fastify', before: [] },
    // Nest 11 runs only in the long tests, because the two combinations above cover most of the code.
    ...(isThorough()
      ? [
          { version: '11', adapter: 'express', before: ['jsonParser', 'urlencodedParser'] },
          { version: '11', adapter: 'fastify', before: [] },
        ]
      : []),
  ].map(({ version, adapter, before }) => ({
    name: `Nest ${version} on ${adapter}`,
    script: 'nest.js',
    shown: [
      ['TimingInterceptor.intercept', '_context', 'ExecutionContext', 'type class handler request response'],
    ] as const,
    env: { NEST: version, ADAPTER: adapter },
    order: (called: readonly unknown[]) => [
      ...before,
      'TagMiddleware.use',
      'StockGuard.canActivate',
      // The interceptor calls the pipe and the handler.
      ['TimingInterceptor.intercept', 'TrimPipe.transform', ['ShopController.placeOrder', ...called]],
    ],
    handler: ['async placeOrder', 'ShopController.placeOrder'] as const,
    unnamed: 'ShopController.text',
    answers: 'ErrorFilter.catch',
    bare: [...before, 'ShopController.placeOrder'],
  })),
  {
    name: 'plain http',
    script: 'plain.js',
    shown: [
      ['serve', 'req', 'IncomingMessage', 'url method'],
      ['serve', 'res', 'ServerResponse', 'statusCode'],
    ],
    order: (called) => [['serve', ['placeOrder', ...called, 'json']]],
    handler: ['async function serve', 'serve'],
    unnamed: 'serve',
    route: null,
    ownErrors: true,
  },
];
