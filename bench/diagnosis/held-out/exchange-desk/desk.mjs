import { fetchRates } from './rates.mjs';

const MARGIN = 0.012;

function midRate(rates, to) {
  const row = rates.find(({ currency }) => currency === to);
  return row.mid;
}

function applyMargin(mid) {
  return mid * (1 - MARGIN);
}

const toCents = (value) => Math.round(value * 100) / 100;

export async function quote({ from, to, amount }) {
  const rates = await fetchRates(from);
  const rate = applyMargin(midRate(rates, to));
  return { from, to, amount, rate: Number(rate.toFixed(5)), payout: toCents(amount * rate) };
}
