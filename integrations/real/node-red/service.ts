import { buildMarker, type Scenario } from '../harness/runs.ts';
import type { RealService } from '../harness/service.ts';

const json = { 'content-type': 'application/json' };

const flows = [
  { id: 'tab1', type: 'tab', label: 'Shop' },
  {
    id: 'in1',
    type: 'http in',
    z: 'tab1',
    name: '',
    url: '/price',
    method: 'get',
    upload: false,
    wires: [['fn1']],
  },
  {
    id: 'fn1',
    type: 'function',
    z: 'tab1',
    name: 'price the cart',
    func: 'const total = Number(msg.req.query.items) * 2;\nmsg.payload = { total, q: msg.req.query.q };\nreturn msg;',
    outputs: 1,
    wires: [['change1']],
  },
  {
    id: 'change1',
    type: 'change',
    z: 'tab1',
    name: '',
    rules: [{ t: 'set', p: 'payload.currency', pt: 'msg', to: 'EUR', tot: 'str' }],
    wires: [['out1']],
  },
  { id: 'out1', type: 'http response', z: 'tab1', name: '', statusCode: '', headers: {}, wires: [] },
  {
    id: 'in2',
    type: 'http in',
    z: 'tab1',
    name: '',
    url: '/order/:shop',
    method: 'post',
    upload: false,
    wires: [['fn2']],
  },
  {
    id: 'fn2',
    type: 'function',
    z: 'tab1',
    name: 'fail',
    func: "if (msg.payload.items === 0) throw new Error('nothing to order');\nmsg.payload = { shop: msg.req.params.shop };\nreturn msg;",
    outputs: 1,
    wires: [['out1']],
  },
  { id: 'catch1', type: 'catch', z: 'tab1', name: '', scope: null, wires: [['fn3']] },
  {
    id: 'fn3',
    type: 'function',
    z: 'tab1',
    name: 'explain',
    func: 'msg.statusCode = 422;\nmsg.payload = msg.error.message;\nreturn msg;',
    outputs: 1,
    wires: [['out1']],
  },
];

/** Node-RED 5: Express 4, JavaScript as written, messages between nodes through its own queue, code of users in vm contexts. */
export const service: RealService = {
  name: 'node-red',
  own: [
    'node-red',
    ...['editor-api', 'nodes', 'registry', 'runtime', 'util'].map((name) => `@node-red/${name}`),
  ],
  script: 'node-red/red.js',
  args: (port) => ['--userDir', '.', '--port', `${port}`, '--settings', 'settings.js', 'flows.json'],
  files: {
    'flows.json': JSON.stringify(flows),
    'settings.js': `module.exports = {
  uiHost: '127.0.0.1',
  credentialSecret: 'only-for-a-test',
  httpAdminRoot: '/admin',
  logging: { console: { level: 'info' } },
  telemetry: { enabled: false, updateNotification: false },
  editorTheme: { tours: false },
};
`,
  },
  // The port accepts connections before the flows run.
  printsWhenReady: 'Started flows',
  volatile: [/"id":"[0-9a-f]{16}"/g, /"rev":"[0-9a-f]+"/g, /^etag: .*$/gim, /"_msgid":"[0-9a-f]+"/g],
};

export const scenario: Scenario = {
  inTurn: [
    { path: '/price?items=3' },
    { method: 'POST', path: '/order/north', headers: json, body: '{"items":2}' },
    { method: 'POST', path: '/order/north', headers: json, body: '{"items":0}' },
    { path: '/admin/settings' },
    { path: '/admin/flows' },
    { path: '/admin/nodes', headers: { accept: 'application/json' } },
    { path: '/admin/flow/tab1' },
    { path: '/admin/flow/none' },
    {
      method: 'POST',
      path: '/admin/flow',
      headers: json,
      body: JSON.stringify({ label: 'Second', nodes: [] }),
    },
    { path: '/none' },
  ],
  overlapping: Array.from({ length: 100 }, (_, nth) => ({ path: `/price?items=2&q=${buildMarker(nth)}` })),
};
