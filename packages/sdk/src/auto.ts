import { init } from './index.ts';
import { comeFirst } from './state.ts';

// `node --import @throughline/node/auto app.js`, or `--require`: no change to the code, settings from the environment.
comeFirst();
init();
