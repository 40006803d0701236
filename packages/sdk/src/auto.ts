import { init } from './index.ts';
import { markPreloaded } from './runtime/state.ts';

// `node --import @throughline/node/auto app.js`, or `--require`: no change to the code, settings from the environment.
markPreloaded();
init();
