interface Report {
  readonly startedAt: Date;
  /** Number of queries, which run one after the other in separate calls of a function. */
  readonly days: number;
  readonly queryMs: number;
}

/** Builds the trace of a successful request: library middleware, then a handler that queries the database once per day of the report. */
export function reportTrace({ startedAt, days, queryMs }: Report): Readonly<Record<string, unknown>> {
  const durationMs = days * queryMs + 4;
  const step = (
    stepId: string,
    parentStepId: string | null,
    [startMs, duration]: readonly [number, number],
    more: Readonly<Record<string, unknown>>,
  ) => ({
    stepId,
    parentStepId,
    stepName: stepId.replace(/\d+$/, ''),
    stepType: 'function',
    startTime: new Date(startedAt.getTime() + startMs).toISOString(),
    duration,
    ...more,
  });
  const inFile = (filePath: string, lineNumber: number) => ({ filePath, lineNumber });
  const queries = Array.from({ length: days }, (_, day) => {
    const startMs = 3 + day * queryMs;
    const ofDay = { functionName: 'salesOfDay', ...inFile('src/sales.ts', 19) };
    return [
      step(`salesOfDay${day}`, 'salesReport', [startMs, queryMs], ofDay),
      step(`SELECT orders${day}`, `salesOfDay${day}`, [startMs, queryMs - 0.1], { stepType: 'database' }),
    ];
  }).flat();
  return {
    request: { method: 'GET', path: `/reports/sales?days=${days}`, route: '/reports/sales', headers: {} },
    response: { statusCode: 200 },
    timing: { startTime: startedAt.toISOString(), duration: durationMs },
    flow: [
      step('jsonParser', null, [0, 1], { stepType: 'middleware' }),
      step('GET /reports/sales', null, [1, durationMs - 1], {
        stepType: 'handler',
        inputs: { days },
        ...inFile('src/routes.ts', 8),
      }),
      step('salesReport', 'GET /reports/sales', [2, durationMs - 2], {
        ...inFile('src/sales.ts', 11),
        variables: { returnValue: { days } },
      }),
      ...queries,
    ],
  };
}
