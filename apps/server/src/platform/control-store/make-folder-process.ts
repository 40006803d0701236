import { PGlite } from '@electric-sql/pglite';

/** The process that `makeFolder` starts. Whoever started it being gone, nobody would use what it makes. */
process.once('disconnect', () => process.exit(1));

const [, , dataDir] = process.argv;
if (dataDir === undefined) throw new Error('no folder was named');
if (!process.connected) process.exit(1);
await (await PGlite.create({ dataDir })).close();
process.exit(0);
