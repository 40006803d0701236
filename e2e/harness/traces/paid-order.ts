/**
 * Builds the trace of a request that places an order. The buyer's id is passed from the request's body to a query and to another server; the
 * order number comes from the database.
 */
export function paidOrderTrace(at: Date): Readonly<Record<string, unknown>> {
  const buyer = 'u-71b2';
  const order = 4711;
  const step = (
    stepId: string,
    parentStepId: string | null,
    [from, duration]: readonly [number, number],
    more: object,
  ) => ({
    stepId,
    parentStepId,
    stepName: stepId,
    functionName: stepId,
    stepType: 'function',
    filePath: 'src/orders.ts',
    lineNumber: 10,
    startTime: new Date(at.getTime() + from).toISOString(),
    duration,
    ...more,
  });
  return {
    request: {
      method: 'POST',
      path: '/orders',
      route: '/orders',
      headers: {},
      body: { customer: { id: buyer, country: 'GB' }, items: [{ sku: 'tea-81', quantity: 2 }], urgent: true },
    },
    response: { statusCode: 201, body: { order } },
    timing: { startTime: at.toISOString(), duration: 40 },
    flow: [
      step('placeOrder', null, [0, 40], {
        stepType: 'handler',
        inputs: { customer: { id: buyer, country: 'GB' }, urgent: true },
        variables: {
          parameters: { customer: { id: buyer, country: 'GB' }, urgent: true },
          localVariables: { number: order },
          returnValue: { order },
        },
      }),
      step('saveOrder', 'placeOrder', [2, 16], {
        inputs: { buyer, password: 'correct horse', country: 'GB' },
        variables: {
          parameters: { buyer, password: 'correct horse', country: 'GB' },
          localVariables: { rate: 0.1925 },
          returnValue: order,
        },
      }),
      step('insertOrder', 'saveOrder', [4, 10], {
        stepName: 'INSERT orders',
        functionName: null,
        stepType: 'database',
        inputs: { query: 'INSERT INTO orders (buyer) VALUES ($1) RETURNING id', params: [buyer] },
        outputs: { rows: [{ id: order }] },
      }),
      step('notify', 'placeOrder', [20, 15], {
        inputs: { to: buyer },
      }),
      step('sendMail', 'notify', [22, 10], {
        stepName: 'POST https://mail.test/send',
        functionName: null,
        stepType: 'http',
        inputs: { method: 'POST', url: `https://mail.test/send?to=${buyer}`, body: { about: String(order) } },
        outputs: { statusCode: 202 },
      }),
    ],
  };
}
