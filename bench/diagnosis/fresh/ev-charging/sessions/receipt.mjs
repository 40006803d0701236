const VAT = { EUR: 0.21, NOK: 0.25 };

export class Receipt {
  lines = [];

  add(label, quantity, unit, price) {
    if (quantity === 0) return this;
    this.lines.push({ label, quantity, unit, amount: Math.round(quantity * price * 100) / 100 });
    return this;
  }

  seal(currency) {
    const net = this.lines.reduce((sum, { amount }) => sum + amount, 0);
    if (!Number.isFinite(net)) throw new RangeError('a receipt needs an amount');
    const vat = Math.round(net * VAT[currency] * 100) / 100;
    return { lines: this.lines, net: net.toFixed(2), vat: vat.toFixed(2), total: (net + vat).toFixed(2), currency };
  }
}
