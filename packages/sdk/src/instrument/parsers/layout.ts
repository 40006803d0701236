/** Numbers of node kinds, equal to Rollup's. The last number is our own, because Rollup's parser does not support `with`. */
export const kind = {
  PanicError: 0,
  ParseError: 1,
  ArrayExpression: 2,
  ArrayPattern: 3,
  ArrowFunctionExpression: 4,
  AssignmentExpression: 5,
  AssignmentPattern: 6,
  AwaitExpression: 7,
  BinaryExpression: 8,
  BlockStatement: 9,
  CallExpression: 11,
  CatchClause: 12,
  ChainExpression: 13,
  ClassBody: 14,
  ClassDeclaration: 15,
  ClassExpression: 16,
  ConditionalExpression: 17,
  Decorator: 20,
  Directive: 21,
  DoWhileStatement: 22,
  EmptyStatement: 23,
  ExportAllDeclaration: 24,
  ExportDefaultDeclaration: 25,
  ExportNamedDeclaration: 26,
  ExpressionStatement: 28,
  ForInStatement: 29,
  ForOfStatement: 30,
  ForStatement: 31,
  FunctionDeclaration: 32,
  FunctionExpression: 33,
  Identifier: 34,
  IfStatement: 35,
  ImportDeclaration: 37,
  ImportExpression: 39,
  JSXAttribute: 42,
  JSXElement: 45,
  JSXExpressionContainer: 47,
  JSXFragment: 48,
  JSXOpeningElement: 52,
  JSXSpreadAttribute: 54,
  JSXSpreadChild: 55,
  LabeledStatement: 57,
  Literal: 58,
  StringLiteral: 63,
  LogicalExpression: 64,
  MemberExpression: 65,
  MetaProperty: 66,
  MethodDefinition: 67,
  NewExpression: 68,
  ObjectExpression: 69,
  ObjectPattern: 70,
  PrivateIdentifier: 71,
  Program: 72,
  Property: 73,
  PropertyDefinition: 74,
  RestElement: 75,
  ReturnStatement: 76,
  SequenceExpression: 77,
  SpreadElement: 78,
  StaticBlock: 79,
  Super: 80,
  SwitchCase: 81,
  SwitchStatement: 82,
  TaggedTemplateExpression: 83,
  TemplateLiteral: 85,
  ThisExpression: 86,
  ThrowStatement: 87,
  TryStatement: 88,
  UnaryExpression: 89,
  UpdateExpression: 90,
  VariableDeclaration: 91,
  VariableDeclarator: 92,
  WhileStatement: 93,
  YieldExpression: 94,
  WithStatement: 95,
} as const;

export type KindName = keyof typeof kind;

/** For each field of the form `kind=`: the value of each word that it can contain. */
export const words = {
  var: 0,
  let: 1,
  const: 2,
  init: 3,
  get: 4,
  set: 5,
  constructor: 6,
  method: 7,
  using: 61,
  'await using': 62,
} as const;

/**
 * The fields of each kind, in order: `x` is a child, `x*` a list of children, `-` a field that is not read, `flags:a,b`
 * bits, and `kind=` an index of {@link words}. Kinds that are not listed have no children.
 */
export const fields: { readonly [K in KindName]?: string } = {
  ArrayExpression: 'elements*',
  ArrayPattern: 'elements*',
  ArrowFunctionExpression: 'flags:async,expression,generator - params* body',
  AssignmentExpression: '- left right',
  AssignmentPattern: 'left right',
  AwaitExpression: 'argument',
  BinaryExpression: '- left right',
  BlockStatement: 'body*',
  CallExpression: 'flags:optional - callee arguments*',
  CatchClause: 'param body',
  ChainExpression: 'expression',
  ClassBody: 'body*',
  ClassDeclaration: 'decorators* id superClass body',
  ClassExpression: 'decorators* id superClass body',
  ConditionalExpression: 'test consequent alternate',
  Decorator: 'expression',
  Directive: '- expression',
  DoWhileStatement: 'body test',
  ExportDefaultDeclaration: 'declaration',
  ExportNamedDeclaration: '- - - declaration',
  ExpressionStatement: 'expression',
  ForInStatement: 'left right body',
  ForOfStatement: 'flags:await left right body',
  ForStatement: 'init test update body',
  FunctionDeclaration: 'flags:async,generator - id params* body',
  FunctionExpression: 'flags:async,generator - id params* body',
  IfStatement: 'test consequent alternate',
  ImportExpression: 'source options',
  JSXAttribute: '- value',
  JSXElement: 'openingElement children*',
  JSXExpressionContainer: 'expression',
  JSXFragment: '- children*',
  JSXOpeningElement: '- - attributes*',
  JSXSpreadAttribute: 'argument',
  JSXSpreadChild: 'expression',
  LabeledStatement: '- body',
  LogicalExpression: '- left right',
  MemberExpression: 'flags:computed,optional object property',
  MethodDefinition: 'flags:static,computed decorators* key value kind=',
  NewExpression: '- callee arguments*',
  ObjectExpression: 'properties*',
  ObjectPattern: 'properties*',
  Program: 'body*',
  Property: 'flags:method,shorthand,computed key value kind=',
  PropertyDefinition: 'flags:static,computed decorators* key value',
  RestElement: 'argument',
  ReturnStatement: 'argument',
  SequenceExpression: 'expressions*',
  SpreadElement: 'argument',
  StaticBlock: 'body*',
  SwitchCase: 'test consequent*',
  SwitchStatement: 'discriminant cases*',
  TaggedTemplateExpression: 'tag quasi',
  TemplateLiteral: '- expressions*',
  ThrowStatement: 'argument',
  TryStatement: 'block handler finalizer',
  UnaryExpression: '- argument',
  UpdateExpression: 'flags:prefix - argument',
  VariableDeclaration: 'kind= declarations*',
  VariableDeclarator: 'id init',
  WhileStatement: 'test body',
  WithStatement: 'object body',
  YieldExpression: 'flags:delegate argument',
};

/** Index of a node's first field. */
export const firstField = 3;

/** Indexes of the fields with a node's children, by node kind. The index of a list is negative. */
export const childPlaces: readonly (readonly number[])[] = listPlacesOfChildren();

function listPlacesOfChildren(): number[][] {
  const places: number[][] = Array.from({ length: kind.WithStatement + 1 }, () => []);
  for (const [name, number] of Object.entries(kind)) {
    const spec = Reflect.get(fields, name);
    if (typeof spec !== 'string') continue;
    for (const [index, field] of spec.split(' ').entries()) {
      if (field === '-' || field.startsWith('flags:') || field.endsWith('=')) continue;
      places[number]?.push(field.endsWith('*') ? -(firstField + index) : firstField + index);
    }
  }
  return places;
}

/** Indexes of the fields that are read by name. A test compares these indexes with {@link fields}. */
export const slot = {
  /** Index of the flags, in all nodes that have flags. */
  flags: 3,
  /** Index of a node's only child, or of a list that is the node's first field. */
  first: 3,
  arrow: { params: 5, body: 6 },
  assignment: { left: 4, right: 5 },
  assignmentPattern: { left: 3, right: 4 },
  call: { callee: 5, arguments: 6 },
  new: { callee: 4, arguments: 5 },
  catch: { param: 3, body: 4 },
  class: { id: 4, superClass: 5, body: 6 },
  declaration: { kind: 3, declarations: 4 },
  declarator: { id: 3, init: 4 },
  doWhile: { body: 3, test: 4 },
  exportNamed: { declaration: 6 },
  for: { init: 3, test: 4, update: 5, body: 6 },
  forIn: { left: 3, right: 4, body: 5 },
  forOf: { left: 4, right: 5, body: 6 },
  function: { id: 5, params: 6, body: 7 },
  labeled: { body: 4 },
  member: { object: 4, property: 5 },
  method: { decorators: 4, key: 5, value: 6, kind: 7 },
  property: { key: 4, value: 5, kind: 6 },
  switch: { discriminant: 3, cases: 4 },
  switchCase: { test: 3, consequent: 4 },
  try: { block: 3, handler: 4, finalizer: 5 },
  update: { argument: 5 },
  while: { test: 3, body: 4 },
  yield: { argument: 4 },
} as const;

/** Bits of `flags`, by the kind of node. */
export const flag = {
  arrow: { async: 1, expression: 2 },
  function: { async: 1, generator: 2 },
  forOf: { await: 1 },
  member: { computed: 1 },
  method: { static: 1, computed: 2 },
  property: { shorthand: 2, computed: 4 },
  update: { prefix: 1 },
  yield: { delegate: 1 },
} as const;
