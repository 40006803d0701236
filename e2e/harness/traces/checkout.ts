interface Checkout {
  readonly at: Date;
  /** The table of tax rates has no row for "UK", so that request fails. */
  readonly country: 'UK' | 'GB' | 'DE';
  readonly user: string;
}

const RATES = { GB: 0.2, DE: 0.19 } as const;
const MESSAGE = "Cannot read properties of undefined (reading 'rate')";

/** A checkout that looks up a tax rate by country, and fails where there is none. */
export function checkoutTrace({ at, country, user }: Checkout): Readonly<Record<string, unknown>> {
  const rate = country === 'UK' ? undefined : RATES[country];
  const failed = rate === undefined;
  const stack = [
    `TypeError: ${MESSAGE}`,
    '    at taxFor (/app/src/checkout.ts:18:24)',
    '    at next (/app/node_modules/express/lib/route.js:149:13)',
    '    at node:internal/process/task_queues:105:5',
    '    at async placeOrder (/app/src/checkout.ts:30:5)',
  ].join('\n');
  const error = { name: 'TypeError', message: MESSAGE, stack };
  const total = 100;
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
    filePath: 'src/checkout.ts',
    lineNumber: 10,
    startTime: new Date(at.getTime() + from).toISOString(),
    duration,
    ...more,
  });
  return {
    request: {
      method: 'POST',
      path: '/checkout',
      route: '/checkout',
      headers: {},
      body: { country, total, user },
    },
    response: { statusCode: failed ? 500 : 200 },
    timing: { startTime: at.toISOString(), duration: 20 },
    ...(failed ? { error: { hasError: true, errorMessage: MESSAGE } } : {}),
    flow: [
      step('placeOrder', null, [0, 20], {
        stepType: 'handler',
        inputs: { order: { country, total, user } },
        ...(failed ? { error } : { outputs: { paid: total * (1 + rate) } }),
      }),
      step('taxFor', 'placeOrder', [2, 4], {
        inputs: { country, total },
        variables: {
          capturedAt: failed ? 'throw' : 'return',
          parameters: { country, total },
          localVariables: { entry: failed ? { $type: 'undefined' } : { rate } },
          ...(failed ? {} : { returnValue: total * rate }),
        },
        ...(failed ? { error } : {}),
      }),
      ...(failed ? [] : [step('charge', 'placeOrder', [7, 12], { inputs: { amount: total * (1 + rate) } })]),
    ],
  };
}
