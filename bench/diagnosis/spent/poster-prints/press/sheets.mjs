const SHEETS = [
  { name: 'SRA4', long: 320, short: 225 },
  { name: 'SRA3', long: 450, short: 320 },
  { name: 'SRA3+', long: 482, short: 330 },
];

function fits(outline, sheet) {
  return outline.long <= sheet.long && outline.short <= sheet.short;
}

function countOn(sheet, outline) {
  const straight = Math.floor(sheet.long / outline.long) * Math.floor(sheet.short / outline.short);
  const turned = Math.floor(sheet.long / outline.short) * Math.floor(sheet.short / outline.long);
  return Math.max(straight, turned);
}

export function chooseSheet(outline) {
  const sheet = SHEETS.find((candidate) => fits(outline, candidate));
  if (!sheet) {
    throw Object.assign(new Error(`no sheet holds ${outline.long} × ${outline.short} mm`), {
      statusCode: 422,
    });
  }
  return { sheet, perSheet: countOn(sheet, outline) };
}
