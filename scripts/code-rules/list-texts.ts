import { parseSync } from 'oxc-parser';

/** A node of oxc's syntax tree, in ESTree format with JSX and TypeScript. */
type Node = { readonly type: string } & Readonly<Record<string, unknown>>;

/** Attributes and properties whose values users read, even if the value is a single word. */
const READ_NAMES = new Set([
  'alt',
  'aria-label',
  'description',
  'detail',
  'empty',
  'hint',
  'label',
  'message',
  'placeholder',
  'remedy',
  'text',
  'title',
  'what',
]);
/** Attributes and properties whose values only the browser reads. */
const UNREAD_NAMES = new Set(['className', 'd', 'href', 'style']);
const SQL =
  /^\s*(?:SELECT|INSERT|CREATE|ALTER|DELETE|UPDATE|WITH|DROP|OPTIMIZE|SYSTEM|KILL|GRANT|SET)\b|\bFROM [a-z_({]/;
/** Matches the operators of a PDF document. */
const PDF = /\bBT \/F\d|\bendobj\b/;
/** Matches two or more words of which the first begins with a capital letter or is an inserted value. */
const SENTENCE = /^(?:[A-Z]|\{…\} )[^\s]*\s+\S/;
/** Matches a part of a sentence: three or more words in lower case, and nothing else. */
const PHRASE = /^[a-z]+(?:,? [a-z]+){2,},?$/;

/**
 * Lists the strings in a source file that users read: on screens, in emails, in errors and on the command line. Inserted values are
 * written as {…}. Skips names of types, imports, SQL and the syntax of PDF.
 */
export function listTexts(path: string, source: string): readonly string[] {
  const { program, errors } = parseSync(path, source);
  const [error] = errors;
  if (error !== undefined) throw new Error(`${path}: ${error.message}`);
  const texts = new Set<string>();
  const add = (text: string) => {
    const line = text.replaceAll(/\s+/g, ' ').trim();
    if (/\p{L}{2}/u.test(line.replaceAll('{…}', ''))) texts.add(line);
  };
  visit(program as unknown as Node, undefined, add);
  return [...texts];
}

function visit(node: Node, name: string | undefined, add: (text: string) => void): void {
  if (/^(?:TS|Import|Export(?:All|Default)?Declaration$)/.test(node.type) && !isTransparent(node.type))
    return;
  if (isWordList(node)) return;
  if (isElement(node) && hasOwnText(node)) {
    add(joinChildren(node));
    visitChildren(node, add, (child) => child.type !== 'JSXText' && !isElement(child));
    for (const inner of listElements(node)) visitChildren(inner, add, (child) => !isElement(child));
    return;
  }
  const text = UNREAD_NAMES.has(name ?? '') ? undefined : readText(node);
  if (text !== undefined) {
    if (
      (name !== undefined && READ_NAMES.has(name)) ||
      ((SENTENCE.test(text) || PHRASE.test(text)) && !SQL.test(text) && !PDF.test(text))
    )
      add(text);
    if (node.type === 'Literal') return;
  }
  visitChildren(node, add, () => true);
}

/** True for TypeScript syntax around an ordinary expression: `x as T`, `x satisfies T`, `x!`. */
function isTransparent(type: string): boolean {
  return /^(?:TSAsExpression|TSSatisfiesExpression|TSNonNullExpression)$/.test(type);
}

/** True for a call such as `'id key name'.split(' ')`, whose words users do not read. */
function isWordList(node: Node): boolean {
  const { callee } = node;
  if (node.type !== 'CallExpression' || !isNode(callee) || callee.type !== 'MemberExpression') return false;
  const { object, property } = callee;
  return isNode(object) && readText(object) !== undefined && isNode(property) && property.name === 'split';
}

function visitChildren(node: Node, add: (text: string) => void, isVisited: (child: Node) => boolean): void {
  const name = readName(node);
  for (const value of Object.values(node)) {
    for (const child of Array.isArray(value) ? value : [value]) {
      if (isNode(child) && isVisited(child)) visit(child, name, add);
    }
  }
}

/** Returns the name of a property, attribute or variable, which shows what its value is used for. */
function readName(node: Node): string | undefined {
  const key = node.type === 'Property' ? node.key : node.type === 'JSXAttribute' ? node.name : undefined;
  if (!isNode(key)) return undefined;
  const name = key.name ?? key.value;
  return typeof name === 'string' ? name : undefined;
}

/** Returns the text of a string or template; undefined for other nodes. */
function readText(node: Node): string | undefined {
  if (node.type === 'Literal') return typeof node.value === 'string' ? node.value : undefined;
  if (node.type !== 'TemplateLiteral') return undefined;
  return (node.quasis as readonly { value: { cooked: string | null } }[])
    .map(({ value }) => value.cooked ?? '')
    .join('{…}');
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof Reflect.get(value, 'type') === 'string';
const isElement = (node: Node) => node.type === 'JSXElement' || node.type === 'JSXFragment';
const listChildren = (node: Node) => node.children as readonly Node[];

function hasOwnText(node: Node): boolean {
  return listChildren(node).some((child) => child.type === 'JSXText' && /\p{L}/u.test(String(child.value)));
}

function listElements(node: Node): readonly Node[] {
  return listChildren(node)
    .filter(isElement)
    .flatMap((child) => [child, ...listElements(child)]);
}

/** Joins an element's text, expressions and child elements into one sentence. */
function joinChildren(node: Node): string {
  return listChildren(node)
    .map((child) => {
      if (child.type === 'JSXText') return String(child.value);
      if (isElement(child)) return joinChildren(child) || '{…}';
      const expression = child.expression;
      if (!isNode(expression) || expression.type === 'JSXEmptyExpression') return '';
      return readText(expression) ?? '{…}';
    })
    .join('');
}
