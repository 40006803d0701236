interface Known {
  readonly kind: 'framework' | 'library' | 'bundler';
  /** Major versions, both included. */
  readonly from: number;
  readonly to: number;
  readonly says: string;
}

const layers = 'middleware and handlers are steps, routes are known';
const bundled =
  'where it bundles the service, use @throughline/node/plugin: bundled code is one file to the SDK';
const bundler = { kind: 'bundler', from: 0, to: 999, says: bundled } as const;

/** Packages that the SDK treats in their own way, by the names in their package.json. */
export const known: ReadonlyMap<string, Known> = new Map<string, Known>([
  ['express', { kind: 'framework', from: 4, to: 5, says: layers }],
  ['connect', { kind: 'framework', from: 3, to: 3, says: layers }],
  ['esbuild', bundler],
  ['rollup', bundler],
  ['rolldown', bundler],
  ['tsup', bundler],
  ['vite', bundler],
  ['webpack', bundler],
]);
