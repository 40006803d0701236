import { setTimeout as delay } from 'node:timers/promises';

const pallet = (id, article, quantity, bestBefore) => ({ id, article, quantity, bestBefore: new Date(bestBefore) });

const pallets = [
  pallet('PL-8801', 'yoghurt-500', 240, '2025-07-04'),
  pallet('PL-8807', 'yoghurt-500', 240, '2025-07-09'),
  pallet('PL-8815', 'yoghurt-500', 180, '2025-07-16'),
  pallet('PL-7720', 'butter-250', 600, '2025-09-20'),
  pallet('PL-7733', 'butter-250', 600, '2025-10-02'),
  pallet('PL-9042', 'cream-200', 320, '2025-06-27'),
  pallet('PL-9040', 'cream-200', 320, '2025-06-21'),
  pallet('PL-9051', 'cream-200', 100, '2025-07-01'),
];

export async function listPallets(article) {
  await delay(3);
  return pallets.filter((each) => each.article === article);
}
