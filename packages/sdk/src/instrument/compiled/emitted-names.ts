import { formatExpressionName } from '../names/expression-names.ts';
import { kind, slot } from '../parsers/layout.ts';
import type { Node, Tree } from '../parsers/tree.ts';

/** Names of TypeScript's and esbuild's helpers, without the two leading underscores. */
const UNDERSCORED = listWords(`
  assign asyncDelegator asyncGenerator asyncValues await awaiter addDisposableResource classPrivateFieldGet classPrivateFieldIn
  classPrivateFieldSet createBinding decorate disposeResources esDecorate exportStar extends generator importDefault importStar makeTemplateObject
  metadata param propKey read rest rewriteRelativeImportExtension runInitializers setFunctionName setModuleDefault spread spreadArray spreadArrays
  values
  accessCheck async callDispose commonJS commonJSMin copyProps decorateClass decorateElement decoratorContext decoratorMetadata
  decoratorStart decoratorStrings defNormalProp earlyAccess esm export expectFn forAwait glob knownSymbol name objRest privateAdd
  privateGet privateIn privateMethod privateSet privateWrapper publicField reExport require runInitializers spreadProps spreadValues superGet
  superSet superWrapper template toBinary toBinaryNode toCommonJS toESM typeError using yieldStar
`);

/**
 * Names of Babel's and SWC's helpers, in lower case and without underscores, so that `_asyncToGenerator` and `_async_to_generator` are the
 * same name.
 */
const RUN_TOGETHER = listWords(`
  applydecoratedinitializer applydecorateddescriptor applydecs arraylikearray arraywithholes arraywithoutholes
  assertclassbrand assertthisinitialized asyncgenerator asyncgeneratordelegate asyncgeneratorstep asynciterator
  asynctogenerator awaitasyncgenerator awaitvalue callsuper checkprivateredeclaration classapplydescriptorget
  classapplydescriptorset classcallcheck classcheckprivatestaticaccess classextractfielddescriptor
  classprivatefieldget classprivatefieldinit classprivatefieldinitspec classprivatefieldloosebase
  classprivatefieldloosekey classprivatefieldset classprivategetter classprivatemethodget classprivatemethodinit
  classprivatemethodinitspec classprivatesetter classstaticprivatefieldspecget classstaticprivatefieldspecset
  createclass createforofiteratorhelper createforofiteratorhelperloose createsuper defineproperties defineproperty
  exportstar getprototypeof getrequirewildcardcache inheritsloose initializerdefineproperty interoprequiredefault
  interoprequirewildcard isnativefunction isnativereflectconstruct iterabletoarray iterabletoarraylimit
  noniterablerest noniterablespread objectdestructuringempty objectspread objectspreadprops objectwithoutproperties
  objectwithoutpropertiesloose overloadyield possibleconstructorreturn readonlyerror regenerator regeneratorasync
  regeneratorasyncgen regeneratorasynciterator regeneratordefine regeneratorkeys regeneratorruntime
  regeneratorvalues setprototypeof skipfirstgeneratornext slicedtoarray superpropbase superpropget superpropset
  taggedtemplateliteral taggedtemplateliteralloose toarray toconsumablearray toprimitive topropertykey
  tsadddisposableresource tsdecorate tsdisposeresources tsgenerator tsmetadata tsparam
  tsrewriterelativeimportextension tsvalues typeof unsupportediterabletoarray usingctx wrapasyncgenerator
  wrapnativesuper wrapregexp
`);

/** Helper names that an author may use too. A function with such a name is a helper only if its source matches the pattern. */
const BY_TEXT: ReadonlyMap<string, RegExp> = new Map([
  ['get', /\bReflect\b/],
  ['set', /\bReflect\b/],
  ['construct', /\bReflect\b/],
  ['extends', /\bObject\.assign\b/],
  ['export', /\bObject\.defineProperty\b/],
  ['inherits', /\bObject\.create\b/],
  ['instanceof', /\bhasInstance\b/],
]);

function listWords(text: string): ReadonlySet<string> {
  return new Set(text.trim().split(/\s+/));
}

/** Matches helper names without a leading underscore. Every source with such helpers also matches `HELPERS_TEXT`. */
const BARE = /^(?:asyncGeneratorStep|AsyncGenerator|AsyncFromSyncIterator|ownKeys)(?:\$?\d+)?$/;
const HELPERS_TEXT =
  /\bfunction _(?:asyncToGenerator|async_to_generator|OverloadYield|overload_yield|asyncIterator|async_iterator|objectSpread|object_spread)/;

/** True if the name is that of a compiler's helper. A bundler may have added a number, as in `__awaiter2`. */
function isHelperName(name: string, tree: Tree, node: Node): boolean {
  if (!name.startsWith('_')) return BARE.test(name) && HELPERS_TEXT.test(tree.source);
  const bare = name.replace(/\$?\d+$/, '');
  if (bare.startsWith('__')) return UNDERSCORED.has(bare.slice(2));
  const together = bare.replaceAll('_', '').toLowerCase();
  return RUN_TOGETHER.has(together) || BY_TEXT.get(together)?.test(tree.text(node)) === true;
}

const CALLED =
  /\b(?:__(?:awaiter|generator|async|asyncGenerator|asyncValues|forAwait|values|read|spreadArray|rest)|_(?:asyncToGenerator|async_to_generator|asyncIterator|async_iterator|wrapAsyncGenerator|wrap_async_generator|createForOfIteratorHelper|slicedToArray|sliced_to_array))\d*[.)]?[\w.]*\(/;

/** True if a source calls a compiler's helpers, whether it imports or defines them. */
export function callsHelpers(source: string): boolean {
  return CALLED.test(source);
}

/** True if the function at the end of `path` is declared under, or assigned to, the name of a compiler's helper. */
export function isHelper(tree: Tree, path: readonly Node[]): boolean {
  const node = path[path.length - 1] ?? 0;
  if (tree.kind(node) === kind.FunctionDeclaration) {
    const id = tree.child(node, slot.function.id);
    return id !== 0 && isHelperName(tree.name(id), tree, node);
  }
  for (let at = path.length - 2; at >= 0; at--) {
    const around = path[at] ?? 0;
    switch (tree.kind(around)) {
      // var __awaiter = (this && this.__awaiter) || function …
      case kind.LogicalExpression:
      case kind.ConditionalExpression:
      case kind.CallExpression:
      case kind.SequenceExpression:
        break;
      case kind.VariableDeclarator:
        return isHelperTarget(tree, tree.child(around, slot.declarator.id), node);
      case kind.AssignmentExpression:
        return isHelperTarget(tree, tree.child(around, slot.assignment.left), node);
      default:
        return false;
    }
  }
  return false;
}

function isHelperTarget(tree: Tree, target: Node, node: Node): boolean {
  // AsyncGenerator.prototype.next = function …
  if (tree.kind(target) === kind.MemberExpression)
    return isHelperTarget(tree, tree.child(target, slot.member.object), node);
  return tree.kind(target) === kind.Identifier && isHelperName(tree.name(target), tree, node);
}

/** Returns a callee's name without its import: `__awaiter` for `tslib_1.__awaiter` and for `(0, tslib_1.__awaiter)`. */
export function readCalledName(tree: Tree, call: Node): string {
  const places = tree.kind(call) === kind.NewExpression ? slot.new : slot.call;
  let callee = tree.child(call, places.callee);
  if (tree.kind(callee) === kind.SequenceExpression) callee = tree.list(callee, slot.first).at(-1) ?? 0;
  const name = callee === 0 ? null : formatExpressionName(tree, callee);
  return name === null ? '' : name.replace(/\.(?:default|_)$/, '').replace(/^.*\./, '');
}
