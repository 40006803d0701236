/** New errors whose requests share something that the finding must name. */
import type { Project } from '../habits.ts';
import { FAILING, isLive, type Plant } from '../problem.ts';
import { between, pick, type Random } from '../random.ts';
import type { Request } from '../request.ts';
import { hoursAgo, pickBusy } from './latency.ts';

interface Part {
  readonly name: string;
  readonly has: (request: Request) => boolean;
}

/** Builds a kind of problem: at one endpoint, a new error occurs in one part of the requests and nowhere else. */
function plantShared(
  kind: string,
  { message, rate }: { readonly message: string; readonly rate: number },
  pickPart: (project: Project, random: Random) => Part,
): Plant {
  return (project, random) => {
    const endpoint = pickBusy(project, random);
    const startMs = hoursAgo(project, between(random, 30, 90));
    const { name, has } = pickPart(project, random);
    return {
      truth: { kind, endpoints: [endpoint], names: [name], words: FAILING, startMs, toleranceHours: 24 },
      change(request, chance) {
        const isIt = request.endpoint === endpoint && isLive(request, startMs) && has(request);
        if (isIt && chance() < rate) request.failure = { status: 500, message };
      },
    };
  };
}

const pickTenant = ({ tenants, users }: Project, random: Random): Part => {
  const large = tenants.filter((name) => users.filter(({ tenant }) => tenant === name).length >= 4);
  const name = pick(random, large.length > 0 ? large : tenants);
  return { name, has: ({ tenant }) => tenant === name };
};

const pickInstance = ({ instances }: Project, random: Random): Part => {
  const name = pick(random, instances);
  return { name, has: ({ instance }) => instance === name };
};

export const ERRORS_OF_ONE_PART: Readonly<Record<string, Plant>> = {
  errorOfTenant: plantShared('errorOfTenant', { message: 'The price list is empty', rate: 0.4 }, pickTenant),
  errorOfInstance: plantShared(
    'errorOfInstance',
    { message: 'No space left on device', rate: 0.2 },
    pickInstance,
  ),
};
