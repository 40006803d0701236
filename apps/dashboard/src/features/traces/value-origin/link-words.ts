import type { LinkKind, ValueLink, ValuePlace } from '@throughline/contract';
import { escapeControlCharacters, formatPath } from '@throughline/contract/captured';
import type { AskedValue } from './asked-value.ts';

const PLACES: Readonly<Record<ValuePlace, string>> = {
  parameters: 'parameter',
  localVariables: 'variable',
  returnValue: 'return value',
  thisContext: 'this',
  inputs: 'input',
  outputs: 'output',
  metadata: 'metadata',
  error: 'error',
  'request.path': 'path',
  'request.query': 'query',
  'request.headers': 'header',
  'request.body': 'body',
  'response.headers': 'header',
  'response.body': 'body',
};

const KINDS: Readonly<Record<LinkKind, string>> = {
  'same-object': 'same object',
  'equal-text': 'equal text',
  'equal-number': 'equal number',
  'equal-date': 'equal date',
  'equal-content': 'equal content',
  'same-name': 'equal, same name',
  'as-text': 'equal when written as text',
  'in-text': 'within a longer text',
};

/**
 * The texts of a link between two values. `name` is the name of the step, or "Request" or "Response"; `place` and `path` are the position
 * of the value in the step; `how` names the way in which the link was found.
 */
export interface LinkWords {
  readonly name: string;
  readonly place: string;
  readonly path: string;
  readonly how: string;
}

export function describeLink({ stepId, name, place, path, how, note }: ValueLink): LinkWords {
  const side = place.startsWith('response.') ? 'Response' : 'Request';
  return {
    name: stepId === null ? side : escapeControlCharacters(name),
    place: PLACES[place],
    path: escapeControlCharacters(formatPath(path)),
    how: note === null ? KINDS[how] : `${KINDS[how]}, ${note}`,
  };
}

/** Returns a value's name for a heading: its path, or the name of the captured part (such as the body) if the value is the whole part. */
export function nameAsked({ place, path }: AskedValue): string {
  return path.length === 0 ? PLACES[place] : escapeControlCharacters(formatPath(path));
}
