import { FAILING, isLive, type Plant } from '../problem.ts';
import { between, pick } from '../random.ts';
import { hoursAgo, pickBusy } from './latency.ts';

const plantFailingNow: Plant = (project, random) => {
  const endpoint = pickBusy(project, random);
  const startMs = hoursAgo(project, 10);
  // Reuses the endpoint's known error, if it has one, so that no new message reveals the problem.
  const known = project.errors.find((error) => error.endpoint === endpoint);
  return {
    truth: {
      kind: 'failingNow',
      endpoints: [endpoint],
      names: [],
      insteadOfEndpoint: known?.words ?? 'Internal error',
      words: FAILING,
      startMs,
      toleranceHours: 6,
    },
    change(request, chance) {
      const isIt = request.endpoint === endpoint && isLive(request, startMs);
      if (isIt && chance() < 0.3)
        request.failure = { status: known?.status ?? 500, message: known?.say(chance) ?? 'Internal error' };
    },
  };
};

const NEW_ERRORS = [
  "Cannot read properties of undefined (reading 'rate')",
  'duplicate key value violates unique constraint "orders_reference_key"',
  'Unexpected token < in JSON at position 0',
];

const plantNewError: Plant = (project, random) => {
  const endpoint = pickBusy(project, random);
  const startMs = hoursAgo(project, between(random, 24, 80));
  const message = pick(random, NEW_ERRORS);
  // Error grouping replaces quoted parts, so only the words before them are expected.
  const words = message.split(/[("<]/)[0]?.trim() ?? message;
  return {
    truth: {
      kind: 'newError',
      endpoints: [endpoint],
      names: [words],
      words: FAILING,
      startMs,
      toleranceHours: 24,
    },
    change(request, chance) {
      const isIt = request.endpoint === endpoint && isLive(request, startMs);
      if (isIt && chance() < 0.1) request.failure = { status: 500, message };
    },
  };
};

const plantMoreOfKnown: Plant = (project, random) => {
  const known = pick(random, project.errors);
  const startMs = hoursAgo(project, between(random, 24, 80));
  return {
    truth: {
      kind: 'knownErrorMore',
      endpoints: [known.endpoint],
      names: [known.words],
      words: FAILING,
      startMs,
      toleranceHours: 24,
    },
    change(request, chance) {
      const isIt = request.endpoint === known.endpoint && isLive(request, startMs);
      if (isIt && chance() < known.rate * 4)
        request.failure = { status: known.status, message: known.say(chance) };
    },
  };
};

/**
 * At one endpoint, most requests of one tenant fail, with the message of an error that all tenants get occasionally. Only the tenant's
 * share of this error is new.
 */
const plantFailingTenant: Plant = (project, random) => {
  const known = pick(random, project.errors);
  const tenants = project.tenants.filter(
    (name) => project.users.filter(({ tenant }) => tenant === name).length >= 4,
  );
  const tenant = pick(random, tenants.length > 0 ? tenants : project.tenants);
  const startMs = hoursAgo(project, between(random, 36, 90));
  return {
    truth: {
      kind: 'failingTenant',
      endpoints: [known.endpoint],
      names: [tenant],
      words: FAILING,
      startMs,
      toleranceHours: 24,
    },
    change(request, chance) {
      const isIt =
        request.endpoint === known.endpoint && isLive(request, startMs) && request.tenant === tenant;
      if (isIt && chance() < 0.6) request.failure = { status: known.status, message: known.say(chance) };
    },
  };
};

export const ERRORS: Readonly<Record<string, Plant>> = {
  failingNow: plantFailingNow,
  newError: plantNewError,
  knownErrorMore: plantMoreOfKnown,
  failingTenant: plantFailingTenant,
};
