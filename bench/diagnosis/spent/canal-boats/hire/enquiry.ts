export interface Enquiry {
  base: string;
  party: string;
  start: string;
  days: number;
}

const reject = (message: string): never => {
  throw Object.assign(new Error(message), { status: 400 });
};

export function parseEnquiry(params: URLSearchParams): Enquiry {
  const { base = 'Braunston', party = '2', start = '', days = '7' } = Object.fromEntries(params);
  if (!/^[1-9]\d?$/.test(party)) reject('party must be a number of people');
  if (!/^\d{4}-\d\d-\d\d$/.test(start)) reject('start must be a day');
  return { base, party, start, days: Number(days) };
}
