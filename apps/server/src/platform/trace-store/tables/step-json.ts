/**
 * Builds the SQL for the members of a step's JSON that rows of `steps` and `spans` have in common: from the name to the line number, in the
 * contract's Step format. `times` contains SQL expressions.
 */
export function stepMembersSql(times: {
  readonly startMicros: string;
  readonly endMicros: string;
  readonly durationMs: string;
}): string {
  return `'"stepName":', toJSONString(toString(name)),
  ',"stepType":', toJSONString(toString(type)),
  ',"startTime":"', ${buildInstantSql(times.startMicros)},
  '","endTime":"', ${buildInstantSql(times.endMicros)},
  '","duration":', toString(${times.durationMs}),
  ',"functionName":', if(function_name = '', 'null', toJSONString(toString(function_name))),
  ',"filePath":', if(file_path = '', 'null', toJSONString(toString(file_path))),
  ',"lineNumber":', ifNull(toString(line_number), 'null')`;
}

/** SQL for the member `error` with a comma before it. */
export const STEP_ERROR_SQL = `',"error":', if(error = '', 'null', error)`;

/** SQL for the captured values, with a comma before each. They are copied as they are, because they arrived as JSON. */
export const STEP_CAPTURED_SQL = `if(captured = '', '', concat(',', substring(captured, 2, length(captured) - 2)))`;

function buildInstantSql(micros: string): string {
  return `concat(replaceOne(toString(fromUnixTimestamp64Micro(toInt64(${micros}), 'UTC')), ' ', 'T'), 'Z')`;
}
