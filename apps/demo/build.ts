/** The build runs this script. It creates the empty database cluster that each start of the shop copies, because creating one takes seconds. */
import { openDatabase } from './src/database/open.ts';

await (await openDatabase()).close();
