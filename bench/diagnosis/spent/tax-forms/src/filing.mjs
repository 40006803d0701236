import { taxOn } from './brackets.mjs';
import { FilingError } from './filing-error.mjs';
import { deductions, taxableIncome, totalWages } from './income.mjs';
import { findTaxpayer, storeReturn } from './taxpayers.mjs';

const ONLINE_LIMIT = 500_000;

export async function assess(form) {
  const taxpayer = await findTaxpayer(form.taxpayer);
  const deducted = deductions(form, taxpayer);
  const taxable = taxableIncome(totalWages(form), deducted);
  if (taxable > ONLINE_LIMIT) throw new FilingError(422, 'returns of this income have to be filed on paper');
  const due = Math.round(taxOn(taxable)) - form.withheld;
  return { name: taxpayer.name, deducted, taxable, due: Math.max(due, 0), refund: Math.max(-due, 0) };
}

export async function fileReturn(form) {
  const assessment = await assess(form);
  const receipt = await storeReturn(form.taxpayer, assessment);
  return { receipt, ...assessment };
}
