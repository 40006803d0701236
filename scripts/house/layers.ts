/** Which part of the product may import which: the rules of docs/architecture.md, for dependency-cruiser. */
import type { ICruiseOptions, IForbiddenRuleType } from 'dependency-cruiser';

const SERVER = '^apps/server/src';
/** What puts the features together; commands do too, each for its own end. */
const ABOVE_FEATURES = '[^/]+\\.ts$';
const tests = '\\.test\\.tsx?$';

export const forbidden: IForbiddenRuleType[] = [
  {
    name: 'no-cycles',
    comment: 'Types of one room may name each other; code may not run in circles.',
    severity: 'error',
    from: {},
    to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
  },
  { name: 'no-unresolvable', severity: 'error', from: {}, to: { couldNotResolve: true } },
  {
    name: 'contract-stands-alone',
    comment: 'The contract knows only zod, and does no I/O.',
    severity: 'error',
    from: { path: '^packages/contract/src', pathNot: tests },
    to: { pathNot: ['^packages/contract/src', '^node_modules/zod/'] },
  },
  {
    name: 'sdk-stands-alone',
    comment:
      "Of the contract only what needs no library: the values' types and the redaction rules, bundled at build.",
    severity: 'error',
    from: { path: '^packages/sdk/src', pathNot: tests },
    to: {
      path: '^(packages|apps)/',
      pathNot: ['^packages/sdk/(src|package\\.json)', '^packages/contract/src/(values|redaction)\\.ts$'],
    },
  },
  {
    name: 'record-knows-no-host',
    comment: 'Recording knows nothing of loaders, instrumenting, HTTP or sending.',
    severity: 'error',
    from: { path: '^packages/sdk/src/record', pathNot: tests },
    to: { path: '^packages/sdk/src/(instrument|loaders|http|send|redact)/' },
  },
  {
    name: 'server-imports-no-screen',
    severity: 'error',
    from: { path: SERVER, pathNot: tests },
    to: { path: '^(apps/(dashboard|demo)|packages/(sdk|testkit)|e2e|bench|integrations)/' },
  },
  {
    name: 'platform-below-features',
    severity: 'error',
    from: { path: `${SERVER}/platform`, pathNot: tests },
    to: { path: `${SERVER}/(features/|commands/|${ABOVE_FEATURES})` },
  },
  {
    name: 'features-below-app',
    severity: 'error',
    from: { path: `${SERVER}/features`, pathNot: tests },
    to: { path: `${SERVER}/(commands/|${ABOVE_FEATURES})` },
  },
  {
    name: 'features-by-their-door',
    comment: 'Another feature is entered by its index.ts only.',
    severity: 'error',
    from: { path: `${SERVER}/features/([^/]+)/`, pathNot: tests },
    to: {
      path: `${SERVER}/features/`,
      pathNot: [`${SERVER}/features/$1/`, `${SERVER}/features/[^/]+/index\\.ts$`],
    },
  },
  {
    name: 'app-enters-features-by-their-door',
    severity: 'error',
    from: { path: `${SERVER}/(commands/|${ABOVE_FEATURES})`, pathNot: tests },
    to: { path: `${SERVER}/features/`, pathNot: `${SERVER}/features/[^/]+/index\\.ts$` },
  },
  {
    name: 'pictures-fetch-nothing',
    comment: 'visuals/ get props and draw; ui/ are pieces that know no feature.',
    severity: 'error',
    from: { path: '^apps/dashboard/src/(visuals|ui)/', pathNot: tests },
    to: {
      path: [
        '^apps/dashboard/src/features/',
        '^apps/dashboard/src/shell/(api|session|live-feed)',
        '@tanstack/react-query',
      ],
    },
  },
  {
    name: 'dashboard-imports-no-server',
    severity: 'error',
    from: { path: '^apps/dashboard/src' },
    to: { path: ['^(apps/(server|demo)|packages/(sdk|testkit))/', '^node:'], pathNot: [] },
  },
  {
    name: 'nothing-imports-tests',
    severity: 'error',
    from: { pathNot: [tests, '^(e2e|bench|integrations|scripts|packages/testkit)/'] },
    to: { path: [tests, '^(packages/testkit|e2e|bench|integrations)/'] },
  },
];

/** Seen without it: with TypeScript 7 alone dependency-cruiser reads 0 modules and passes. */
export const options: ICruiseOptions = {
  parser: 'swc',
  tsPreCompilationDeps: true,
  combinedDependencies: true,
  doNotFollow: { path: 'node_modules' },
  exclude: { path: '(^|/)(node_modules|dist|fixtures|generated)/' },
  enhancedResolveOptions: {
    exportsFields: ['exports'],
    extensions: ['.ts', '.tsx', '.js'],
    conditionNames: ['source', 'import', 'default'],
  },
};
