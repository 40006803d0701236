import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { RegisterOrganizationBody } from '@throughline/contract';
import type { FastifyInstance } from 'fastify';
import { openAdminSocket } from './admin-socket.ts';
import { createAccessTokens } from './features/access-tokens/index.ts';
import { createAccount } from './features/account/index.ts';
import { createAddresses } from './features/addresses/index.ts';
import { createAlerts, createSources } from './features/alerts/index.ts';
import { createAnalytics } from './features/analytics/index.ts';
import { createAudit } from './features/audit/index.ts';
import { createAuth, createOwner } from './features/auth/index.ts';
import { writeBackup } from './features/backup/index.ts';
import { createBilling } from './features/billing/index.ts';
import { createDeletionReceipts } from './features/deletions/index.ts';
import { createDemo, type Demo } from './features/demo/index.ts';
import { createDigest, createDigestSources } from './features/digest/index.ts';
import { createErrors, findKnownErrors } from './features/errors/index.ts';
import { createInsights } from './features/insights/index.ts';
import { createInvitations } from './features/invitations/index.ts';
import { registerMetrics } from './features/metrics/index.ts';
import { createOrgs } from './features/orgs/index.ts';
import { registerProduct } from './features/product/index.ts';
import { createProjects } from './features/projects/index.ts';
import { createRetention } from './features/retention/index.ts';
import { createRollups } from './features/rollups/index.ts';
import { createSavedViews } from './features/saved-views/index.ts';
import { createShareLinks } from './features/share-links/index.ts';
import { createStoreHealth, watchReads } from './features/store-health/index.ts';
import { createTraces } from './features/traces/index.ts';
import { createTwoFactor } from './features/two-factor/index.ts';
import { createUsage } from './features/usage/index.ts';
import { createGuard } from './guard.ts';
import { openIntake } from './intake.ts';
import type { Clock } from './platform/clock.ts';
import type { Config } from './platform/config.ts';
import type { ControlStore } from './platform/control-store/index.ts';
import { createHttp } from './platform/http/create-http.ts';
import { buildValidationError } from './platform/http/errors.ts';
import { createRateLimits } from './platform/http/limits/rate-limits.ts';
import { serveDashboard } from './platform/http/static-files.ts';
import type { Logger } from './platform/log.ts';
import { createMailer, registerOutbox } from './platform/mail/index.ts';
import { Metrics } from './platform/metrics.ts';
import { FairMutex } from './platform/queues/fair-mutex.ts';
import { openInstallation } from './platform/start/installation.ts';
import { isEmbedded, openStores } from './platform/stores.ts';
import { VERSION } from './platform/version.ts';

export interface App {
  readonly http: FastifyInstance;
  readonly control: ControlStore;
  readonly demo: Demo;
  /** Starts to listen. Returns the URL on this machine, without a trailing slash. */
  listen(): Promise<string>;
  /** The URL under which users open the server. */
  publicUrl(): string;
  /** The port for OTLP over gRPC, once the server listens; undefined if gRPC is off. */
  otlpGrpcPort(): number | undefined;
  /**
   * Creates an account with an organization, for the operator.
   * @throws AppError `validation_failed`, `email_taken`, `slug_taken`
   */
  createOwner(account: unknown): Promise<void>;
  /** Gives an account a plan, for the operator. Returns a description of the account's plan. @throws AppError */
  setPlan(assignment: unknown): Promise<string>;
  /** Refuses new requests, lets running requests finish, then closes the stores. Can be called twice. */
  stop(): Promise<void>;
}

/** Maximum time for running requests to finish after the stop begins. Requests that take longer are aborted. */
const DRAIN_MS = 10_000;
/** Maximum number of concurrent analyses. An analysis can keep a core busy for a second, so one core is left for other requests. */
const ANALYSES_AT_ONCE = Math.max(1, availableParallelism() - 1);

/** Opens the stores and assembles the features. */
export async function createApp(
  config: Config,
  deps: { readonly clock: Clock; readonly log: Logger },
): Promise<App> {
  const { clock, log } = deps;
  // Closes the features that are already open if a later feature cannot be opened.
  await using opening = new AsyncDisposableStack();
  const opened = <R extends { close(): unknown }>(resource: R): R =>
    opening.adopt(resource, async () => void (await resource.close()));
  const openedStores = opened(await openStores(config));
  let onDamage = () => {};
  const stores = { ...openedStores, traces: watchReads(openedStores.traces, () => onDamage()) };
  const { control } = stores;
  /** True if other servers can use the same control store. */
  const shared = config.databaseUrl !== undefined;
  const secretKey = await openInstallation(config, control.db, clock.now());

  let draining = false;
  const app = await createHttp(config, log);
  const localUrl = () => `http://${readLocalName(config.host)}:${findPort(app) ?? config.port}`;
  const publicUrl = () => config.publicUrl ?? localUrl();

  const mailConfig = {
    smtpUrl: config.smtpUrl,
    from:
      config.mailFrom ?? `Throughline <no-reply@${new URL(config.publicUrl ?? 'http://localhost').hostname}>`,
    outbox: join(config.dataDir, 'outbox'),
  };
  const mail = opened(createMailer({ control, clock, log, secretKey, config: mailConfig }));
  const audit = opened(createAudit({ control, clock, log }));
  const rollups = opened(createRollups({ store: stores.traces, log }));
  const retention = opened(
    createRetention({
      control,
      traces: stores.traces,
      rollups,
      clock,
      log,
      maxBytes: config.maxDiskBytes,
      folder: config.clickhouse === undefined ? config.dataDir : undefined,
      shared,
    }),
  );
  const metrics = new Metrics();
  const storeHealth = opened(createStoreHealth({ traces: openedStores.traces, log, metrics }));
  onDamage = storeHealth.readFailed;
  const usage = opened(
    createUsage({
      control,
      traces: stores.traces,
      clock,
      log,
      mail,
      publicUrl,
      shared,
      diskFullSince: retention.diskFullSince,
      clockAheadMs: retention.clockAheadMs,
      hasDamage: () => storeHealth.damagedParts().length > 0,
    }),
  );
  const billing = opened(
    createBilling({
      control,
      clock,
      log,
      audit,
      mail,
      usage,
      publicUrl,
      stripe: config.stripe,
      sandbox: config.billingSandbox,
      testClock: config.mode === 'development',
    }),
  );
  const orgs = createOrgs({ control, clock, audit, billing });
  const invitations = createInvitations({ control, clock, audit, billing, orgs, mail, secretKey, publicUrl });
  const twoFactor = createTwoFactor({ control, clock, log, secretKey });
  const addresses = createAddresses({ control, clock, audit, mail, publicUrl });
  const people = { control, clock, log, addresses, orgs, billing, invitations, audit, mail, twoFactor };
  const auth = opened(
    await createAuth({
      ...people,
      registration: config.registration,
      shared,
    }),
  );
  const accessTokens = createAccessTokens({ control, clock, audit, mail });
  retention.onSweep(accessTokens.deleteExpired);
  const receipts = opened(
    createDeletionReceipts({ control, store: stores.traces, rollups, audit, clock, log }),
  );
  const traces = createTraces({
    store: stores.traces,
    clock,
    log,
    rollups,
    receipts,
    findKnownErrors: (project) => findKnownErrors(control.db, project),
    onSessionEnded: auth.onSessionEnded,
  });
  if (shared) await traces.shareFeed(control);
  const projects = opened(await createProjects({ control, clock, log, secretKey, audit, traces, receipts }));
  billing.onPlanChanged(projects.plansChanged);
  projects.onProjectChanged(traces.projectChanged);
  const shareLinks = createShareLinks({ control, clock, audit, projects, traces: traces.sharing, publicUrl });
  retention.onSweep(shareLinks.deleteExpired);
  const demo = createDemo({ control, clock, log, projects, demoPort: config.demoPort, ingestUrl: localUrl });
  const http = {
    app,
    guard: createGuard({ auth, accessTokens, projects }),
    rateLimits: createRateLimits(app, config.rateLimits),
  };
  const account = opened(createAccount({ ...people, auth, accessTokens, projects, publicUrl }));
  auth.register(http);
  account.register(http);
  accessTokens.register(http);
  orgs.register(http, {
    endSessionsOf: async (userId) => {
      await auth.sessions.endAllOf(userId);
      await control.db.transaction((tx) => accessTokens.revokeAll(tx, userId));
    },
    interruptSessionsOf: auth.sessions.interruptAllOf,
  });
  invitations.register(http);
  audit.register(http);
  billing.register(http);
  projects.register(http);
  traces.register(http, projects);
  shareLinks.register(http);
  createSavedViews({ control, clock, audit }).register(http);
  receipts.register(http);
  const figures = { control, store: stores.traces, rollups, clock, turns: new FairMutex(ANALYSES_AT_ONCE) };
  createAnalytics({ ...figures, log }).register(http);
  const errors = createErrors({ ...figures, audit });
  orgs.onMemberGone(errors.unassign);
  retention.onSweep(errors.deleteExpired);
  errors.register(http);
  const insights = createInsights({ ...figures, errors, log, model: config.languageModel });
  const alerts = opened(
    createAlerts({
      ...{ control, clock, log, secretKey, audit, mail, projects, publicUrl },
      allowPrivate: config.alertPrivateTargets,
      sources: createSources({ ...figures, errors, insights }),
    }),
  );
  alerts.register(http);
  retention.onSweep(alerts.deleteOld);
  const digest = opened(
    createDigest({
      ...{ control, clock, log, secretKey, mail, projects, publicUrl },
      sources: createDigestSources({ ...figures, errors, insights, alerts }),
      mailServer: config.smtpUrl !== undefined,
      // In development, mails are written to the outbox folder, where developers read them.
      isSending: config.smtpUrl !== undefined || config.mode === 'development',
    }),
  );
  digest.register(http);
  retention.onSweep(digest.deleteOld);
  insights.register(http);
  usage.register(http);
  metrics.gauge('throughline_live_feeds', 'Open live feeds.', traces.countFeeds);
  const intake = opened(
    await openIntake(app, { stores, clock, log, projects, traces, usage, rollups, metrics }),
  );
  registerMetrics(app, {
    metrics,
    traces: stores.traces,
    db: control.db,
    token: config.metricsToken,
    publicUrl: config.publicUrl,
  });
  demo.register(http);
  registerProduct(http, {
    version: VERSION,
    demo: config.demoPort !== undefined,
    plansForSale: config.stripe !== undefined || config.billingSandbox,
    publicUrl,
    sdkTarball: SDK_TARBALL,
    isDraining: () => draining,
    pings: { control: control.ping, traces: stores.traces.ping },
  });
  if (config.mode === 'development' && config.smtpUrl === undefined) registerOutbox(app, mailConfig.outbox);
  await serveDashboard(app, DASHBOARD);

  const makeOwner = async (account: unknown) => {
    const read = RegisterOrganizationBody.safeParse(account);
    if (!read.success) throw buildValidationError(read.error);
    await createOwner({ control, clock, orgs }, read.data);
  };
  /**
   * Opens the admin socket, but only if a store is in the data folder: operators back up external stores with the tools of PostgreSQL and
   * ClickHouse.
   */
  const openSocket = () =>
    openAdminSocket(config.dataDir, {
      log,
      calls: {
        ping: async () => {
          await Promise.all([control.ping(), stores.traces.ping()]);
        },
        backup: () =>
          writeBackup({
            ...stores,
            secretKey,
            secretInFolder: config.secretKey === undefined,
            version: VERSION,
            now: clock.now(),
          }),
        createOwner: makeOwner,
        setPlan: billing.setPlan,
      },
    });
  let adminSocket: Awaited<ReturnType<typeof openSocket>> | undefined;
  let otlpGrpcPort: number | undefined;

  const resources = opening.move();
  const stop = async () => {
    draining = true;
    await adminSocket?.close();
    const cutOff = setTimeout(() => app.server.closeAllConnections(), DRAIN_MS).unref();
    traces.close();
    await Promise.all([intake.drain(), app.close()]);
    clearTimeout(cutOff);
    await traces.announced();
    await resources.disposeAsync();
  };
  let stopped: Promise<void> | undefined;
  return {
    http: app,
    control,
    demo,
    publicUrl,
    otlpGrpcPort: () => otlpGrpcPort,
    createOwner: makeOwner,
    setPlan: billing.setPlan,
    async listen() {
      if (isEmbedded(config)) adminSocket = await openSocket();
      otlpGrpcPort = await intake.listen(config);
      await app.listen({ port: config.port, host: config.host });
      return localUrl();
    },
    stop: () => (stopped ??= stop()),
  };
}

/** Returns the host name under which this machine reaches the server. */
function readLocalName(host: string): string {
  if (['0.0.0.0', '::', '127.0.0.1'].includes(host)) return 'localhost';
  return host.includes(':') ? `[${host}]` : host;
}

function findPort(app: FastifyInstance): number | undefined {
  const address = app.server.address();
  return typeof address === 'object' && address !== null ? address.port : undefined;
}

const resolveNear = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const DASHBOARD = resolveNear('../../dashboard/dist');
const SDK_TARBALL = resolveNear('../../../packages/sdk/packed/throughline-node.tgz');
