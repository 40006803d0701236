import { withRetry } from './retry.mjs';

const routes = new Map([['OSL-LIS', 189], ['OSL-BER', 99], ['CDG-ATH', 149], ['LHR-JFK', 420]]);
const tierDiscount = { silver: 5, gold: 12 };

async function requestMember(memberId) {
  const response = await fetch(`http://127.0.0.1:${process.env.PORT}/internal/members/${memberId}`);
  if (!response.ok) throw Object.assign(new Error('loyalty service failed'), { status: response.status });
  return response.json();
}

export async function loadMember(memberId) {
  try {
    return await withRetry(() => requestMember(memberId));
  } catch (error) {
    if (error.status === 404) return null;
    throw error;
  }
}

export async function quoteFare({ route, seats, memberId }) {
  const fare = routes.get(route);
  if (!fare) return null;
  const member = memberId ? await loadMember(memberId) : null;
  const percent = member ? tierDiscount[member.tier] : 0;
  const total = Math.round(fare * seats * (100 - percent)) / 100;
  return { route, seats, discount: percent, total };
}
