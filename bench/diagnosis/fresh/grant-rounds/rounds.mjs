const ROUNDS = {
  'spring-arts': { budget: 9000, maxAwards: 5, currency: 'EUR' },
  'youth-sport': { budget: 4200, maxAwards: 4, currency: 'EUR' },
  'green-yards': { budget: 2750.5, maxAwards: 4, currency: 'EUR' },
  'local-press': { budget: 6100, maxAwards: 3, currency: 'EUR' },
  'small-stages': { budget: 5180.9, maxAwards: 5, currency: 'EUR' },
};

function refuse(message, round) {
  return Object.assign(new Error(message), { status: 422, round });
}

const normalizeName = (name) => name.trim().replace(/\s+/g, ' ');

export function addUp(amounts) {
  return amounts.reduce((sum, amount) => sum + amount, 0);
}

function computeShare(amount, budget) {
  return `${((amount / budget) * 100).toFixed(1)} %`;
}

export function createRounds() {
  function open(id) {
    const round = ROUNDS[id];
    if (!round) throw Object.assign(new Error(`no round ${id}`), { status: 404 });
    return { id, ...round };
  }

  function decide(round, awards, member) {
    if (awards.length > round.maxAwards) throw refuse('too many awards', round.id);
    const listed = awards.map(({ applicant, amount, iban }) => ({ applicant: normalizeName(applicant), amount, iban, share: computeShare(amount, round.budget) }));
    const awarded = addUp(listed.map(({ amount }) => amount));
    return { round: round.id, awarded, awards: listed, decidedBy: member, decidedAt: new Date().toISOString() };
  }

  return { open, decide };
}
