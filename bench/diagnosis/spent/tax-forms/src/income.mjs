const ALLOWANCE = 11_600;
const PER_CHILD = 4_800;

/** Adds up the wages in the boxes of the form. An empty box is sent as "". */
export function totalWages(form) {
  return form.secondJob ? form.wages + form.secondJob : form.wages;
}

export function deductions(form, taxpayer) {
  const donations = Math.min(form.donations, 2_000);
  const allowance = taxpayer.married ? ALLOWANCE * 2 : ALLOWANCE;
  return allowance + taxpayer.children * PER_CHILD + donations;
}

export function taxableIncome(wages, deducted) {
  return Math.max(wages - deducted, 0);
}
