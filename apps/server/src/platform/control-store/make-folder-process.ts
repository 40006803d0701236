import { PGlite } from '@electric-sql/pglite';

/** The child process of `makeFolder`. It exits with its parent, since only the parent uses the result. */
process.once('disconnect', () => process.exit(1));

const [, , dataDir] = process.argv;
if (dataDir === undefined) throw new Error('no folder was given');
if (!process.connected) process.exit(1);
await (await PGlite.create({ dataDir })).close();
process.exit(0);
