const {
  AuthenticatedSession,
  bootstrap,
  DefaultLogger,
  LogLevel,
  TransactionalConnection,
  User,
} = require('@vendure/core');

const { ADMIN_NAME, ADMIN_PASSWORD, ADMIN_TOKEN, PORT } = process.env;

/** Starts Vendure on a database in memory, with one session whose token is known in advance. */
bootstrap(
  {
    apiOptions: { hostname: '127.0.0.1', port: Number(PORT) },
    authOptions: {
      tokenMethod: 'bearer',
      superadminCredentials: { identifier: ADMIN_NAME, password: ADMIN_PASSWORD },
    },
    dbConnectionOptions: { type: 'sqljs', synchronize: true },
    logger: new DefaultLogger({ level: LogLevel.Error }),
    paymentOptions: { paymentMethodHandlers: [] },
  },
  {
    async onBeforeAppListen(app) {
      // Creates the administrator, before the session that needs it.
      await app.init();
      const { rawConnection } = app.get(TransactionalConnection);
      const user = await rawConnection.getRepository(User).findOneByOrFail({ identifier: ADMIN_NAME });
      await rawConnection.getRepository(AuthenticatedSession).save(
        new AuthenticatedSession({
          token: ADMIN_TOKEN,
          user,
          authenticationStrategy: 'native',
          expires: new Date(Date.now() + 3_600_000),
          invalidated: false,
        }),
      );
    },
  },
).catch((error) => {
  console.error(error);
  process.exit(1);
});
