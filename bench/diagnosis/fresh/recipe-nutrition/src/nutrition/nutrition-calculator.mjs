export class NutritionCalculator {
  constructor(ingredients) {
    this.ingredients = ingredients;
  }

  async perServing({ parts, servings }) {
    const shares = await Promise.all(parts.map(([code, grams]) => this.share(code, grams)));
    const sum = (field) => shares.reduce((total, share) => total + share[field], 0);
    return {
      kcal: Math.round(sum('kcal') / servings),
      protein: roundTo(sum('protein') / servings, 1),
      salt: roundTo(sum('salt') / servings, 2),
      calculatedAt: new Date().toISOString(),
    };
  }

  async share(code, grams) {
    const { kcal, protein, salt } = await this.ingredients.get(code);
    const factor = grams / 100;
    return { code, kcal: kcal * factor, protein: protein * factor, salt: salt * factor };
  }
}

function roundTo(value, digits) {
  return Number(value.toFixed(digits));
}
