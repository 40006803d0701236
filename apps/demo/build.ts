/**
 * The build runs this script. It creates an empty database cluster, which each start of the shop copies, because creating a cluster takes
 * seconds.
 */
import { openDatabase } from './src/database/open.ts';

await (await openDatabase()).close();
