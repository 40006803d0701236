// As the operators publish them, one file for each operator.
export const TEXTS = {
  'NL-VLT': 'currency=EUR\nstart=0.35\nkwh=0.49\nidle=0.08\nidle-after=240',
  'DE-OST': 'currency=EUR\nstart=0\nkwh=0.57\nidle=0.10\nidle-after=180',
  'NO-FJL': 'currency=NOK\nstart=5\nkwh=4.29\nidle=1\nidle-after=60',
  'BE-MAA': 'currency=EUR\nstart=0.50\nkwh=0,54\nidle=0.05\nidle-after=240',
};
