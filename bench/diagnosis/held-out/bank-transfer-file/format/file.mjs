import { amountField, textField } from './fields.mjs';

const RECORD_SIZE = 64;

function headerRecord({ sender, date }) {
  return encodeRecord(`H${date.replaceAll('-', '')}${textField(sender, 55)}`);
}

function paymentRecord({ payee, amount, purpose }) {
  return encodeRecord(`P${textField(payee, 27)}${amountField(amount)}${textField(purpose, 25)}`);
}

function trailerRecord(payments) {
  const total = payments.reduce((sum, { amount }) => sum + Math.round(amount * 100), 0) / 100;
  return encodeRecord(`T${String(payments.length).padStart(6, '0')}${amountField(total)}${textField('', 46)}`);
}

/** The bank's host reads records of 64 bytes without line ends. */
function encodeRecord(line) {
  const record = Buffer.from(line, 'utf8');
  const size = record.length;
  if (size !== RECORD_SIZE) throw new Error(`record has ${size} bytes instead of ${RECORD_SIZE}`);
  return record;
}

export function buildFile(order) {
  return Buffer.concat([headerRecord(order), ...order.payments.map(paymentRecord), trailerRecord(order.payments)]);
}
