/** Run by the build: the empty database cluster that each start of the shop begins with, which takes seconds to make. */
import { openDatabase } from './src/database/open.ts';

await (await openDatabase()).close();
