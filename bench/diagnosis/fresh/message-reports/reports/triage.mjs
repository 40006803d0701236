const WEIGHTS = { spam: 2, harassment: 5, 'self-harm': 9, other: 1 };
const SUSPICIOUS = ['free coins', 'followers', 'click here', 'dm me'];

export function textScore(text) {
  const lower = text.toLowerCase();
  return SUSPICIOUS.filter((phrase) => lower.includes(phrase)).length * 2;
}

export function priority(reason, reporter, score) {
  const weight = WEIGHTS[reason] ?? WEIGHTS.other;
  return weight * 10 + reporter.trust * 3 + score;
}

export function queueFor(points) {
  if (points >= 60) return 'now';
  return points >= 30 ? 'today' : 'later';
}
