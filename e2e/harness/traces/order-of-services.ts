import { failedOrder } from './traces.ts';

const SPAN = '00f067aa0ba902b7';

/**
 * Builds the traces of one order in two services. The shop calls a database and the service `pay`, and then fails. `pay` also calls a
 * database.
 */
export function orderOfServices(at: Date): Record<'shop' | 'pay', Readonly<Record<string, unknown>>> {
  const order = failedOrder(at);
  const time = (ms: number) => new Date(at.getTime() + ms).toISOString();
  const step = (stepId: string, ms: number, duration: number, more: Readonly<Record<string, unknown>>) => ({
    stepId,
    stepName: stepId,
    stepType: 'function',
    parentStepId: 'createOrder',
    startTime: time(ms),
    duration,
    filePath: 'src/orders.ts',
    lineNumber: 7,
    ...more,
  });
  const shop = {
    ...order,
    flow: [
      step('createOrder', 0, 1230, { parentStepId: null, stepType: 'handler', lineNumber: 3 }),
      step('SELECT carts', 5, 20, {
        stepType: 'database',
        metadata: { 'db.system.name': 'postgresql', 'db.namespace': 'shop' },
      }),
      step('POST pay.example/charge', 30, 800, { stepType: 'http', metadata: { spanId: SPAN } }),
      step('audit', 40, 90, { filePath: 'src/audit.ts' }),
      step('taxOf', 1210, 12, {
        filePath: 'src/tax.ts',
        lineNumber: 18,
        variables: { parameters: { country: 'UK' }, localVariables: { rate: { $type: 'undefined' } } },
        error: { name: 'TypeError', message: 'no rate' },
      }),
    ],
  };
  const pay = {
    traceId: order.traceId,
    spanId: '00f067aa0ba902b8',
    parentSpanId: SPAN,
    request: { method: 'POST', path: '/charge' },
    response: { statusCode: 201 },
    timing: { startTime: time(60), duration: 700 },
    flow: [step('INSERT charges', 70, 20, { parentStepId: null, stepType: 'database' })],
  };
  return { shop, pay };
}
