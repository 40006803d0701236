import { hostname } from 'node:os';
import { isMainThread, threadId } from 'node:worker_threads';
import { CpuBudget } from '../budget/cpu-budget.ts';
import { type Options, readSettings, type Settings } from '../config/options.ts';
import { sdkVersion } from '../config/version.ts';
import { findEarlyModules } from '../early-modules.ts';
import { prepareStacks } from '../errors/authors-stacks.ts';
import { installEntry } from '../http/entry.ts';
import { prepareSampling } from '../http/process-stats.ts';
import { report, reportDetail, runGuarded, setDebug } from '../internal/report.ts';
import { installLoaders } from '../loaders/install.ts';
import { buildOwnCodeTest } from '../loaders/own-code.ts';
import { resolveRealPath } from '../project/package-manifest.ts';
import { findProject, type Project } from '../project/root.ts';
import { metering } from '../record/capture/metering.ts';
import type { WireService } from '../send/encode/wire.ts';
import { Exporter } from '../send/exporter.ts';
import { isPostThread } from '../send/transport/thread/post-thread.ts';
import { FunctionSources } from '../source/function-sources.ts';
import { installExitHandlers } from './exit-handlers.ts';
import { instrumentLibraries } from './instrument-libraries.ts';
import { patchFrameworks } from './patch-frameworks.ts';
import { isPreloaded, setRunningTracer } from './state.ts';
import { findTestRunner, mayReportForRun } from './test-runner.ts';
import { Tracer } from './tracer.ts';

/** The host's start counts as over when none of its own code was loaded for this time, in ms. */
const startIsOverMs = 3000;

let called = false;

/**
 * Starts tracing this process: requests to its http, https and http2 servers, and functions of its own code that is loaded from now on. Call it
 * before anything else, or start with `node --import @throughline/node/auto`, which also covers the main file and statically imported ES
 * modules.
 *
 * Never throws. Once a call had an API key, further calls do nothing. Without an API key, or in a test runner without the option `tests`,
 * logs one line and traces nothing. For an invalid option, logs one line and uses the default.
 */
export function init(options?: Options): void {
  runGuarded('Starting', () => {
    if (called) return;
    const settings = readSettings(options, process.env, report);
    if (settings.apiKey === undefined) {
      report('no API key (option apiKey or THROUGHLINE_API_KEY): nothing is traced');
      return;
    }
    called = true;
    const runner = settings.tests ? undefined : findTestRunner(process.env, process.argv[1]);
    if (runner !== undefined) {
      if (mayReportForRun(process.env))
        report(`this is ${runner}: nothing is traced; THROUGHLINE_TESTS=1 traces tests`);
      return;
    }
    setDebug(settings.debug);
    if (settings.capture !== 'off') start(settings, settings.apiKey);
  });
}

function start(settings: Settings, apiKey: string): void {
  const project = findProject(process.argv[1], process.cwd());
  prepareSampling();
  const tracer: Tracer = new Tracer(
    settings,
    new Exporter({
      url: settings.url,
      apiKey,
      sdk: { name: '@throughline/node', version: sdkVersion },
      service: buildService(settings, project),
      report,
      redact: settings.redact,
      onSettings: (remote) => tracer.follow(remote),
    }),
    { budget: startBudget(settings.cpuBudget), sources: new FunctionSources(project.root) },
  );
  const ownCode = { root: project.root, include: settings.include, exclude: settings.exclude };
  installLoaders({
    ...ownCode,
    accessors: settings.accessors,
    keepAfterMs: settings.cache ? startIsOverMs : undefined,
    report,
  });
  const main = process.argv[1];
  // The loaders do not see the main file if it is a bundle that calls `init` or, on Node 20, an ES module. So its stacks are prepared here.
  if (main !== undefined && isMainThread) prepareStacks(resolveRealPath(main));
  patchFrameworks();
  installEntry(tracer);
  instrumentLibraries(settings);
  setRunningTracer(tracer);
  installExitHandlers(tracer);
  process.on('worker', (worker) => {
    if (isPostThread(worker)) return;
    const how = isPreloaded()
      ? 'requests that the worker serves itself are traced, each as a separate trace'
      : "the worker's code is traced only if it calls init()";
    reportDetail(
      `a worker thread was started: ${how}; the work of the worker for a request of this thread is not in that request's trace`,
    );
  });
  const early = isPreloaded()
    ? undefined
    : findEarlyModules(project.root, buildOwnCodeTest(ownCode), process.argv[1]);
  if (early !== undefined) report(early);
}

/** Default budget in percent of one core. If recording takes more, values are left out. */
const DEFAULT_PERCENT = 20;
const DEFAULT_WINDOW_MS = 1000;

/**
 * Starts to measure the cost of recording. A budget that the host set limits all recording. The default budget limits only the recording of
 * values.
 */
function startBudget(chosen: number | undefined): CpuBudget {
  const percent = chosen ?? DEFAULT_PERCENT;
  const budget = new CpuBudget({
    percent,
    ...(chosen === undefined && { windowMs: DEFAULT_WINDOW_MS, keepsStructure: true }),
    onChange: (taken, lowered) =>
      reportDetail(
        `recording took ${taken.toFixed(1)} % of a core, the budget is ${percent} %: ${lowered} functions are recorded in part or not at all`,
      ),
  });
  metering.meter = budget;
  return budget;
}

function buildService(settings: Settings, project: Project): WireService {
  return {
    name: (settings.service ?? project.name).slice(0, 255),
    version: project.version?.slice(0, 255),
    environment: settings.environment,
    release: settings.release,
    instance: `${hostname()}:${process.pid}${isMainThread ? '' : `/${threadId}`}`.slice(0, 255),
    runtime: `node ${process.versions.node}`,
  };
}
