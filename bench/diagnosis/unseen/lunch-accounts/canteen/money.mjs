import { fail } from './fail.mjs';

export function toCents(amount) {
  if (!/^\d{1,3}(\.\d\d)?$/.test(amount)) fail(422, `${amount} is not an amount`);
  return Math.floor(Number(amount) * 100);
}

export function formatCents(cents) {
  const sign = cents < 0 ? '-' : '';
  const euros = Math.floor(Math.abs(cents) / 100);
  return `${sign}${euros}.${String(Math.abs(cents) % 100).padStart(2, '0')}`;
}
