import { listEntitlements } from './plans.mjs';

const DAY_MS = 86_400_000;
const WARN_DAYS = 30;

export class LicenseService {
  constructor(repository, { clock }) {
    this.repository = repository;
    this.clock = clock;
  }

  check(key, client) {
    const license = this.repository.find(key);
    if (!license) throw Object.assign(new Error('unknown licence key'), { status: 404 });
    const status = this.statusOf(license);
    const seats = this.seatsOf(license, client);
    if (status.state !== 'expired') this.repository.activate(key, client.machine, client.hostname, this.clock());
    return {
      key: license.key,
      holder: license.holder,
      state: status.state,
      notice: noticeFor(license, status),
      seats,
      features: listEntitlements(license.plan, status.state, client.app),
    };
  }

  statusOf(license) {
    if (license.expiresAt === null) return { state: 'perpetual', daysLeft: null };
    const daysLeft = Math.floor((license.expiresAt - this.clock()) / DAY_MS);
    return { state: daysLeft < 0 ? 'expired' : 'active', daysLeft };
  }

  seatsOf(license, { machine }) {
    const used = this.repository.activations(license.key);
    const known = used.some((row) => row.machine === machine);
    return { total: license.seats, used: used.length + (known ? 0 : 1), known };
  }
}

function noticeFor(license, { state, daysLeft }) {
  if (state === 'expired') return license.renewable ? 'Renew to keep exporting.' : 'Contact your reseller.';
  if (daysLeft !== null && daysLeft < WARN_DAYS) return `Ends in ${daysLeft} days.`;
  return null;
}
