/** `npm run build`: builds the parts that are missing or older than their sources. */
import { ensureBuilt, ensureInstalled } from './workspace.mjs';

await ensureInstalled();
await ensureBuilt();
