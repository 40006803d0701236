import { fields, firstField, kind, words } from './layout.ts';
import { Tree } from './tree.ts';

/** The fields of an ESTree node that this code relies on. All other fields are checked before use. */
interface EsNode {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [key: string]: unknown;
}

/**
 * Converts an ESTree program to a {@link Tree} of the code that runs, without types. Returns undefined if `program` is not an ESTree
 * program.
 */
export function convertEstree(program: unknown, source: string, isTypeScript: boolean): Tree | undefined {
  if (!isNode(program) || program.type !== 'Program') return undefined;
  const writer = new TreeWriter(source);
  writer.node(program);
  return new Tree(Uint32Array.from(writer.words), source, isTypeScript ? writer.arrowBodies : null);
}

class TreeWriter {
  readonly words: number[] = [];
  readonly arrowBodies = new Map<number, number>();
  private readonly source: string;

  constructor(source: string) {
    this.source = source;
  }

  /** Writes a node and its descendants. Returns the node's index; 0 if the node does not run. */
  node(node: EsNode): number {
    const running = findRunningPart(node);
    if (running === null) return 0;
    const name = findKindName(running);
    if (name === undefined) return 0;
    const place = this.words.length;
    this.words.push(kind[name], running.start, this.endOf(running));
    if (name === 'ArrowFunctionExpression' && isNode(running.body)) {
      this.arrowBodies.set(place, running.body.start);
    }
    const spec = fields[name]?.split(' ') ?? [];
    for (const _ of spec) this.words.push(0);
    for (const [index, field] of spec.entries()) {
      this.words[place + firstField + index] = this.field(running, field);
    }
    return place;
  }

  /** Returns where a node ends; an identifier ends after its name, not after its type. */
  private endOf({ type, name, start, end }: EsNode): number {
    if (type !== 'Identifier' || typeof name !== 'string') return end;
    return this.source.startsWith(name, start) ? start + name.length : end;
  }

  private field(node: EsNode, field: string): number {
    if (field === '-') return 0;
    if (field.startsWith('flags:')) return packFlags(node, field.slice('flags:'.length).split(','));
    if (field.endsWith('=')) return numberWord(node[field.slice(0, -1)]);
    if (field.endsWith('*')) return this.list(node[field.slice(0, -1)]);
    const child = node[field];
    return isNode(child) ? this.node(child) : 0;
  }

  private list(value: unknown): number {
    if (!Array.isArray(value) || value.length === 0) return 0;
    const place = this.words.length;
    this.words.push(value.length);
    for (const _ of value) this.words.push(0);
    for (const [index, item] of value.entries()) {
      if (isNode(item)) this.words[place + 1 + index] = this.node(item);
    }
    return place;
  }
}

function numberWord(word: unknown): number {
  const number: unknown = typeof word === 'string' ? Reflect.get(words, word) : undefined;
  return typeof number === 'number' ? number : 0;
}

function packFlags(node: EsNode, names: readonly string[]): number {
  return names.reduce((bits, name, bit) => (node[name] === true ? bits | (1 << bit) : bits), 0);
}

/**
 * Returns the part of a node that runs: the node itself, or the node inside if the outer one only adds a type. Returns null if no part of
 * the node runs.
 */
function findRunningPart(node: EsNode): EsNode | null {
  if (node.declare === true) return null;
  switch (node.type) {
    case 'ParenthesizedExpression':
    case 'TSAsExpression':
    case 'TSSatisfiesExpression':
    case 'TSNonNullExpression':
    case 'TSTypeAssertion':
    case 'TSInstantiationExpression':
      return findInner(node, 'expression');
    case 'TSParameterProperty':
      return findInner(node, 'parameter');
    case 'TSModuleDeclaration':
      return findInner(node, 'body');
    case 'MethodDefinition':
      // An overload or an abstract method does not run.
      return isNode(node.value) && node.value.type === 'FunctionExpression' ? node : null;
    default:
      return node;
  }
}

function findInner(node: EsNode, key: string): EsNode | null {
  const value = node[key];
  return isNode(value) ? findRunningPart(value) : null;
}

const namesOfTypes: Readonly<Record<string, keyof typeof kind>> = {
  AccessorProperty: 'PropertyDefinition',
  // As in a static block, variables in a TypeScript module block belong to no function.
  TSModuleBlock: 'StaticBlock',
  TSExportAssignment: 'ExpressionStatement',
};

function findKindName(node: EsNode): keyof typeof kind | undefined {
  if (node.type === 'ExpressionStatement' && typeof node.directive === 'string') return 'Directive';
  if (node.type === 'Literal' && typeof node.value === 'string') return 'StringLiteral';
  if (isKind(node.type)) return node.type;
  // TypeScript nodes without an entry in `namesOfTypes` do not run, so they get no kind. Of other nodes without a kind of their own, only
  // the presence matters, so all of them are written as `Literal`.
  return namesOfTypes[node.type] ?? (node.type.startsWith('TS') ? undefined : 'Literal');
}

function isKind(type: string): type is keyof typeof kind {
  return Object.hasOwn(kind, type);
}

function isNode(value: unknown): value is EsNode {
  return (
    typeof value === 'object' &&
    value !== null &&
    'type' in value &&
    typeof value.type === 'string' &&
    'start' in value &&
    typeof value.start === 'number' &&
    'end' in value
  );
}
