/** `npm run build`: builds what is missing or older than its sources. */
import { ensureBuilt, ensureInstalled } from './workspace.mjs';

await ensureInstalled();
await ensureBuilt();
