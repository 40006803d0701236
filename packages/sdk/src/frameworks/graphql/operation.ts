import { property, textProperty } from '../../libraries/foreign.ts';

/** The part of a GraphQL document that is executed. */
export interface Operation {
  readonly type: string;
  /** Undefined for an anonymous one. */
  readonly name: string | undefined;
  /** Such as `query Article`, and `query { articles, me }` for an anonymous one. */
  readonly label: string;
}

const MAX_FIELDS = 3;
/** A client chooses an operation's name. */
const MAX_NAME = 100;

/** The operation of a document that has this name, or the only one that it has. */
export function findOperation(document: unknown, operationName: unknown): Operation | undefined {
  const definitions = property(document, 'definitions');
  if (!Array.isArray(definitions)) return undefined;
  const operations = definitions.filter((one) => property(one, 'kind') === 'OperationDefinition');
  const wanted = typeof operationName === 'string' && operationName !== '' ? operationName : undefined;
  const found: unknown =
    wanted === undefined ? operations[0] : operations.find((one) => nameIn(one) === wanted);
  const type = textProperty(found, 'operation');
  if (type === undefined) return undefined;
  const name = nameIn(found)?.slice(0, MAX_NAME);
  return { type, name, label: `${type} ${name ?? fieldsIn(found)}` };
}

function fieldsIn(operation: unknown): string {
  const selections = property(property(operation, 'selectionSet'), 'selections');
  const names = (Array.isArray(selections) ? selections : []).flatMap((one) => nameIn(one) ?? []);
  const distinct = [...new Set(names)];
  const shown = distinct.slice(0, MAX_FIELDS).map((name) => name.slice(0, MAX_NAME));
  return `{ ${[...shown, ...(distinct.length > MAX_FIELDS ? ['…'] : [])].join(', ')} }`;
}

function nameIn(node: unknown): string | undefined {
  return textProperty(property(node, 'name'), 'value');
}
