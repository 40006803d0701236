import { formatDay, type Invoice } from '@throughline/contract';

/** Builds a sandbox invoice as a PDF document (ISO 32000): one page of text in Helvetica, which every PDF reader has. */
export function buildInvoicePdf(invoice: Invoice): Buffer {
  const lines = [
    'Throughline',
    `Invoice ${invoice.number}`,
    `Date: ${formatDay(new Date(invoice.at))}`,
    invoice.description,
    `Amount: $${invoice.amount.toFixed(2)} (${invoice.status === 'paid' ? 'paid' : 'not paid'})`,
    'Sandbox: no card is charged. This is not a tax document.',
  ];
  const text = lines.map((line) => `(${escapeText(line)}) Tj T*`).join('\n');
  const content = `BT /F1 12 Tf 24 TL 72 770 Td\n${text}\nET`;
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 5 0 R /Resources << /Font << /F1 4 0 R >> >> >>',
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>',
    `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
  ];
  let document = '%PDF-1.4\n';
  const offsets: number[] = [];
  for (const [index, object] of objects.entries()) {
    offsets.push(document.length);
    document += `${index + 1} 0 obj\n${object}\nendobj\n`;
  }
  const table = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  const size = objects.length + 1;
  const start = document.length;
  document += `xref\n0 ${size}\n0000000000 65535 f \n${table}trailer\n<< /Size ${size} /Root 1 0 R >>\nstartxref\n${start}\n%%EOF\n`;
  return Buffer.from(document, 'latin1');
}

function escapeText(line: string): string {
  return line.replace(/[^\x20-\x7e]/g, '-').replace(/[\\()]/g, (character) => `\\${character}`);
}
