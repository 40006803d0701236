const WORDS = { nb: ['ikke', 'hei', 'pakke'], nl: ['niet', 'hallo', 'pakket'], en: ['not', 'hello', 'parcel'] };
const URGENT = ['urgent', 'today', 'refund', 'broken', 'leaking'];

export function detectLanguage(text) {
  const words = text.toLowerCase().split(/\W+/);
  const scored = Object.entries(WORDS).map(([language, list]) => [language, words.filter((word) => list.includes(word)).length]);
  scored.sort(([, a], [, b]) => b - a);
  return scored[0][1] === 0 ? 'en' : scored[0][0];
}

export function urgency(text, { plan }) {
  const lower = text.toLowerCase();
  const points = URGENT.filter((word) => lower.includes(word)).length + (plan === 'trade' ? 1 : 0);
  return points >= 2 ? 'high' : 'normal';
}

export function pickQueue({ primary }, { plan }, language) {
  if (primary === null) return `general-${language}`;
  return plan === 'trade' ? 'trade-orders' : `orders-${language}`;
}
