import { findPolicy } from './policies.mjs';

const deductibles = { household: 150, liability: 0, travel: 75 };
let nextNumber = 7001;

function httpError(status, message) {
  return Object.assign(new Error(message), { status });
}

export function payout(policy, amount) {
  return Math.max(0, amount - deductibles[policy.kind]);
}

function cleanClaim(body) {
  return { email: String(body.email ?? '').trim(), amount: Number(body.amount), date: body.date };
}

export async function fileClaim(body) {
  const claim = cleanClaim(body);
  if (!(claim.amount > 0)) throw httpError(400, 'amount is missing');
  const policy = await findPolicy(claim.email);
  if (!policy) throw httpError(404, 'no policy for this e-mail address');
  if (claim.date > policy.paidUntil) throw httpError(409, 'policy was not active');
  return { claim: `CL-${nextNumber++}`, policy: policy.number, payout: payout(policy, claim.amount) };
}
