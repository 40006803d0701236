export function textField(text, width) {
  return text.slice(0, width).padEnd(width, ' ');
}

export function amountField(amount) {
  const cents = Math.round(amount * 100);
  return String(cents).padStart(11, '0');
}
