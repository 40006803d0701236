const COMMODITY = /^\d{10}$/;

export function checkGoods(goods) {
  const detail = goods.flatMap((item, at) => findProblems(item).map((problem) => `goods ${at + 1}: ${problem}`));
  if (detail.length > 0) throw Object.assign(new Error('declaration refused'), { status: 422, detail });
}

function findProblems({ commodity, valueCents, origin }) {
  const problems = [];
  if (!COMMODITY.test(commodity)) problems.push('the commodity code has ten digits');
  if (!(valueCents > 0)) problems.push('the value is missing');
  if (!/^[A-Z]{2}$/.test(origin)) problems.push('the origin is a country code');
  return problems;
}
