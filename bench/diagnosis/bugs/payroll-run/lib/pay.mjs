import { overtimeFactor } from './contracts.mjs';

export async function grossPay(contract, hours) {
  const regular = Math.min(hours, contract.monthlyHours);
  const overtime = hours - regular;
  let pay = regular * contract.hourlyCents;
  if (overtime > 0) {
    const factor = overtimeFactor(contract.agreement);
    pay += overtime * contract.hourlyCents * factor;
  }
  return Math.round(pay);
}
