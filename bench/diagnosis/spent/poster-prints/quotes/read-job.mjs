const DEFAULTS = { copies: 25, bleed: 3, paper: 'silk-170' };
const PAPERS = new Set(['silk-170', 'matt-200', 'uncoated-120']);

function invalid(message) {
  return Object.assign(new Error(message), { status: 400 });
}

function positive(name, value) {
  if (!(value > 0)) throw invalid(`${name} must be positive`);
  return value;
}

export function readJob(body) {
  const width = positive('width', body.width);
  const height = positive('height', body.height);
  const copies = body.copies || DEFAULTS.copies;
  const bleed = body.bleed || DEFAULTS.bleed;
  const paper = body.paper || DEFAULTS.paper;
  if (!PAPERS.has(paper)) throw invalid(`paper ${paper} is not in stock`);
  return { width, height, copies, bleed, paper, customer: body.customer };
}
