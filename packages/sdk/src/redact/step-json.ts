import type { CapturedValue } from '@throughline/contract/values';
import type { StepVariables } from '../record/types.ts';
import type { WireStep } from '../send/wire.ts';
import { writeJson } from '../send/write-json.ts';

/** A step as JSON. A value that stands at several places of it, as what a function returns mostly does, is written once. */
export function stepJson(step: WireStep): string {
  const { outputs, variables, ...rest } = step;
  if (variables === undefined || typeof outputs !== 'object' || outputs === null) return writeJson(step);
  const text = writeJson(outputs);
  return `${writeJson(rest).slice(0, -1)},"outputs":${text},"variables":${variablesJson(variables, outputs, text)}}`;
}

/** `known` is a value that may be among them, and `text` its JSON. */
function variablesJson(variables: StepVariables, known: CapturedValue, text: string): string {
  const { parameters, localVariables, returnValue, ...rest } = variables;
  const fields = [
    writeJson(rest).slice(0, -1),
    `"parameters":${fieldsJson(parameters, known, text)}`,
    `"localVariables":${fieldsJson(localVariables, known, text)}`,
  ];
  if (returnValue !== undefined) {
    fields.push(`"returnValue":${returnValue === known ? text : writeJson(returnValue)}`);
  }
  return `${fields.join(',')}}`;
}

function fieldsJson(
  fields: Readonly<Record<string, CapturedValue>>,
  known: CapturedValue,
  text: string,
): string {
  const names = Object.keys(fields);
  if (!names.some((name) => fields[name] === known)) return writeJson(fields);
  const parts: string[] = [];
  for (const name of names) {
    const value = fields[name];
    if (value !== undefined) parts.push(`${writeJson(name)}:${value === known ? text : writeJson(value)}`);
  }
  return `{${parts.join(',')}}`;
}
