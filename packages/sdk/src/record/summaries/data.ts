import type { Summary } from './summary.ts';

/** Objects of ORMs, drivers and queues. An ordinary class instance, such as an entity of TypeORM or MikroORM, needs no summary. */
export const dataSummaries: readonly Summary[] = [
  // Sequelize.
  { has: ['getDataValue', 'setDataValue'], fieldsOf: 'dataValues' },
  {
    has: ['define', 'authenticate', 'getQueryInterface'],
    shows: ['dialect: options.dialect', 'host: config.host', 'database: config.database'],
  },
  // Mongoose.
  { has: ['$set', 'markModified', 'toObject'], fieldsOf: '_doc' },
  { has: ['openUri', 'asPromise', 'model'], shows: ['host', 'port', 'name'] },
  {
    has: ['lean', 'setOptions', 'cursor', 'exec'],
    shows: ['op', 'conditions: _conditions', 'collection: mongooseCollection.name'],
  },
  // Objection.
  { has: ['$query', '$toJson', '$set'], but: '', hidesPrivate: true },
  // TypeORM.
  {
    has: ['createQueryRunner', 'buildMetadatas'],
    shows: ['name', 'type: options.type', 'database: options.database', 'isInitialized'],
  },
  { has: ['getRepository', 'getTreeRepository', 'preload'] },
  { has: ['createQueryBuilder', 'preload', 'hasId'], shows: ['target'] },
  {
    has: ['getQueryAndParameters', 'getSql', 'setParameter'],
    shows: [
      'queryType: expressionMap.queryType',
      'alias: expressionMap.mainAlias.name',
      'parameters: expressionMap.parameters',
    ],
  },
  { has: ['getEntityIdMap', 'findInheritanceMetadata'], shows: ['name', 'tableName'] },
  {
    has: ['getEntityValue', 'setEntityValue', 'buildPropertyPath'],
    shows: ['propertyName', 'type', 'databaseName', 'relationType', 'inverse: inverseEntityMetadata.name'],
  },
  { has: ['startTransaction', 'commitTransaction', 'createSchema'], shows: ['isTransactionActive'] },
  // MikroORM.
  { has: ['getUnitOfWork', 'persist', 'flush'], shows: ['name'] },
  // knex.
  {
    has: ['toSQL', '_validateWithArgs', 'orWhereNotExists'],
    shows: ['method: _method', 'table: _single.table', 'statements: _statements'],
  },
  { has: ['toSQL', 'wrap', 'isRawInstance'], shows: ['sql', 'bindings'] },
  { has: ['acquireRawConnection', 'queryCompiler', 'queryBuilder'], shows: ['dialect'] },
  { has: ['acquireConnection', 'queryCompiler', 'queryBuilder'], shows: ['dialect'] },
  // pg.
  {
    has: ['_pulseQueue', 'connect', 'query'],
    shows: ['host: options.host', 'port: options.port', 'database: options.database', 'user: options.user'],
  },
  { has: ['_handleRowDescription', 'query'], shows: ['host', 'port', 'database', 'user'] },
  { has: ['addCommandComplete', 'parseRow'], shows: ['command', 'rowCount', 'rows'] },
  // Pools and connections of mysql2, with callbacks and with promises.
  {
    has: ['getConnection', 'releaseConnection', '_handleSuccessfulRelease'],
    shows: ['host: config.connectionConfig.host', 'database: config.connectionConfig.database'],
  },
  {
    has: ['getConnection', 'releaseConnection', 'execute'],
    shows: ['host: pool.config.connectionConfig.host', 'database: pool.config.connectionConfig.database'],
  },
  { has: ['addCommand', 'handlePacket'], shows: ['host: config.host', 'database: config.database'] },
  {
    has: ['beginTransaction', 'unprepare', 'changeUser'],
    shows: ['host: connection.config.host', 'database: connection.config.database'],
  },
  // mongodb.
  { has: ['startSession', 'withSession', 'db'], shows: ['database: options.dbName'] },
  { has: ['createCollection', 'runCursorCommand'], shows: ['name: s.namespace.db'] },
  {
    has: ['insertOne', 'findOneAndUpdate', 'bulkWrite'],
    shows: ['database: s.namespace.db', 'name: s.namespace.collection'],
  },
  {
    has: ['hasNext', 'tryNext', 'bufferedCount'],
    shows: ['database: cursorNamespace.db', 'collection: cursorNamespace.collection', 'filter: cursorFilter'],
  },
  // Clients of ioredis and redis.
  {
    has: ['sendCommand', 'duplicate', 'scanStream'],
    shows: ['host: options.host', 'port: options.port', 'db: options.db', 'status'],
  },
  { has: ['withCommandOptions', 'sendCommand', 'duplicate'] },
  // bullmq.
  { has: ['addBulk', 'obliterate', 'drain'], shows: ['name'] },
  { has: ['updateProgress', 'moveToFailed', 'discard'], shows: ['id', 'name', 'data', 'attemptsMade'] },
  // Loggers of pino and winston, and the null loggers of libraries.
  { as: 'Logger', has: ['setBindings', 'isLevelEnabled', 'bindings'] },
  { as: 'Logger', has: ['getHighestLogLevel', 'isLevelEnabled', 'startTimer'], shows: ['level'] },
  { as: 'Logger', has: ['fatal', 'error', 'warn', 'info', 'debug', 'trace'], shows: ['level'] },
];
