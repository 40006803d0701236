import { readProperty, readTextProperty } from '../../internal/foreign.ts';
import type { Shorten } from '../../record/snapshot/text.ts';

/** The part of a GraphQL document that is executed. */
export interface Operation {
  readonly type: string;
  /** Undefined for an anonymous operation. */
  readonly name: string | undefined;
  /** The name that users see, such as `query Article`, or `query { articles, me }` for an anonymous operation. */
  readonly label: string;
}

const MAX_FIELDS = 3;
/** Maximum length of an operation's name, in characters. Clients choose the names. */
const MAX_NAME = 100;

/** Finds the document's operation with this name or, without a name, the document's first operation. */
export function findOperation(
  document: unknown,
  operationName: unknown,
  shorten: Shorten,
): Operation | undefined {
  const definitions = readProperty(document, 'definitions');
  if (!Array.isArray(definitions)) return undefined;
  const operations = definitions.filter((one) => readProperty(one, 'kind') === 'OperationDefinition');
  const wanted = typeof operationName === 'string' && operationName !== '' ? operationName : undefined;
  const found: unknown =
    wanted === undefined ? operations[0] : operations.find((one) => nameIn(one) === wanted);
  const type = readTextProperty(found, 'operation');
  if (type === undefined) return undefined;
  const given = nameIn(found);
  const name = given === undefined ? undefined : shorten(given, MAX_NAME);
  return { type, name, label: `${type} ${name ?? listFields(found, shorten)}` };
}

function listFields(operation: unknown, shorten: Shorten): string {
  const selections = readProperty(readProperty(operation, 'selectionSet'), 'selections');
  const names = (Array.isArray(selections) ? selections : []).flatMap((one) => nameIn(one) ?? []);
  const distinct = [...new Set(names)];
  const shown = distinct.slice(0, MAX_FIELDS).map((name) => shorten(name, MAX_NAME));
  return `{ ${[...shown, ...(distinct.length > MAX_FIELDS ? ['…'] : [])].join(', ')} }`;
}

function nameIn(node: unknown): string | undefined {
  return readTextProperty(readProperty(node, 'name'), 'value');
}
