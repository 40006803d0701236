import { buildFile } from './format/file.mjs';
import { archive } from './archive.mjs';

export async function handleTransferFile(order) {
  if (!Array.isArray(order?.payments) || order.payments.length === 0) {
    return [400, { message: 'payments is required' }];
  }
  const file = buildFile(order);
  const reference = await archive(file);
  return [201, { reference, records: file.length / 64, bytes: file.length }];
}

export async function handleHolidays() {
  return [200, { holidays: ['2025-01-01', '2025-04-18', '2025-04-21', '2025-05-01', '2025-12-25', '2025-12-26'] }];
}
