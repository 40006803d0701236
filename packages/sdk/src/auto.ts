import { init } from './index.ts';
import { markPreloaded } from './runtime/state.ts';

// Entry point for `node --import @throughline/node/auto app.js`, or `--require`. Needs no code change; settings come from the environment.
markPreloaded();
init();
