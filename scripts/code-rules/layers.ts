/**
 * Defines which other parts each part of the product can import, as described in docs/architecture.md. `check-layers.ts` also rejects
 * cycles and imports that cannot be resolved.
 */

/** Regular expressions for paths relative to the root. */
interface Paths {
  readonly path?: string | readonly string[];
  readonly pathNot?: string | readonly string[];
}

/** Modules that match `from` must not import modules that match `to`. `$1` in `to` is the first group of `from`. */
export interface LayerRule {
  readonly name: string;
  readonly comment?: string;
  readonly from: Omit<Paths, 'path'> & { readonly path?: string };
  readonly to: Paths;
}

const SERVER = '^apps/server/src';
/** Matches modules directly in the `src` folder of the server. Like the commands, these modules are above the features and connect them. */
const ABOVE_FEATURES = '[^/]+\\.ts$';
const FEATURES = '^apps/dashboard/src/features/';
const SDK = '^packages/sdk/src/';
const tests = '\\.test\\.tsx?$';
const notProduct = '\\.(test|fixture)\\.tsx?$';

/**
 * Folders whose sub-folders and files import each other in one direction only, without cycles, so that data passes each sub-folder only
 * once.
 */
export const oneWayFolders: readonly string[] = [
  'packages/sdk/src',
  'packages/sdk/src/http',
  'packages/sdk/src/send',
  'apps/server/src/features',
  'apps/server/src/features/ingest',
  'apps/server/src/features/otlp',
  'apps/server/src/features/traces',
  'apps/server/src/platform/trace-store',
  'apps/dashboard/src/visuals',
];

export const forbidden: readonly LayerRule[] = [
  {
    name: 'contract-stands-alone',
    comment: 'The contract knows only zod and js-tokens, and does no I/O.',
    from: { path: '^packages/contract/src', pathNot: tests },
    to: { pathNot: ['^packages/contract/src', '^node_modules/zod/', 'node_modules/js-tokens/'] },
  },
  {
    name: 'sdk-stands-alone',
    comment:
      "Of the contract only what needs no library: the values' types and the redaction rules, bundled at build.",
    from: { path: '^packages/sdk/src', pathNot: tests },
    to: {
      path: '^(packages|apps)/',
      pathNot: [
        '^packages/sdk/(src|package\\.json)',
        '^packages/contract/src/(values|redact-rules|redaction)\\.ts$',
      ],
    },
  },
  {
    name: 'record-knows-no-host',
    comment: 'Recording knows nothing of loaders, instrumenting, HTTP or sending.',
    from: { path: '^packages/sdk/src/record', pathNot: notProduct },
    to: { path: SDK, pathNot: '^packages/sdk/src/(internal|project|record|rewritten)/' },
  },
  {
    name: 'internal-is-the-sdks-bottom',
    from: { path: '^packages/sdk/src/internal', pathNot: notProduct },
    to: { path: SDK, pathNot: '^packages/sdk/src/internal/' },
  },
  {
    name: 'send-knows-no-host',
    comment: 'Sending knows traces and redaction, and nothing of loaders, HTTP servers or frameworks.',
    from: { path: '^packages/sdk/src/send', pathNot: notProduct },
    to: { path: SDK, pathNot: '^packages/sdk/src/(internal|record|redact|send)/' },
  },
  {
    name: 'server-imports-no-screen',
    from: { path: SERVER, pathNot: tests },
    to: { path: '^(apps/(dashboard|demo)|packages/(sdk|testkit)|e2e|bench|integrations)/' },
  },
  {
    name: 'platform-below-features',
    from: { path: `${SERVER}/platform`, pathNot: tests },
    to: { path: `${SERVER}/(features/|commands/|${ABOVE_FEATURES})` },
  },
  {
    name: 'features-below-app',
    from: { path: `${SERVER}/features`, pathNot: tests },
    to: { path: `${SERVER}/(commands/|${ABOVE_FEATURES})` },
  },
  {
    name: 'features-by-their-index',
    comment: 'Another feature is entered by its index.ts only.',
    from: { path: `${SERVER}/features/([^/]+)/`, pathNot: tests },
    to: {
      path: `${SERVER}/features/`,
      pathNot: [`${SERVER}/features/$1/`, `${SERVER}/features/[^/]+/index\\.ts$`],
    },
  },
  {
    name: 'app-enters-features-by-their-index',
    from: { path: `${SERVER}/(commands/|${ABOVE_FEATURES})`, pathNot: tests },
    to: { path: `${SERVER}/features/`, pathNot: `${SERVER}/features/[^/]+/index\\.ts$` },
  },
  {
    name: 'pictures-fetch-nothing',
    comment: 'visuals/ get props and draw; ui/ are pieces that know no feature.',
    from: { path: '^apps/dashboard/src/(visuals|ui)/', pathNot: tests },
    to: {
      path: [
        '^apps/dashboard/src/features/',
        '^apps/dashboard/src/shell/(api|session/|live/)',
        '@tanstack/react-query',
      ],
    },
  },
  {
    name: 'screens-by-their-index',
    comment: 'Another feature of the dashboard is entered by its index.ts only.',
    from: { path: `${FEATURES}([^/]+)/`, pathNot: tests },
    to: { path: FEATURES, pathNot: [`${FEATURES}$1/`, `${FEATURES}[^/]+/index\\.ts$`] },
  },
  {
    name: 'screens-entered-by-page-or-index',
    comment: 'The router loads pages; everything else is entered by the index.',
    from: { path: '^apps/dashboard/src/(?!features/)', pathNot: tests },
    to: { path: FEATURES, pathNot: ['/index\\.ts$', '[/-]page\\.tsx$'] },
  },
  {
    name: 'dashboard-imports-no-server',
    from: { path: '^apps/dashboard/src', pathNot: tests },
    to: { path: ['^(apps/(server|demo)|packages/(sdk|testkit))/', '^node:'] },
  },
  {
    name: 'nothing-imports-tests',
    from: { pathNot: [tests, '^(e2e|bench|integrations|scripts|packages/testkit)/'] },
    to: { path: [tests, '^(packages/testkit|e2e|bench|integrations)/'] },
  },
];
