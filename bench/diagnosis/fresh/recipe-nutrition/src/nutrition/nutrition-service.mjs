const DAILY_KCAL = 2000;

export class NutritionService {
  constructor({ recipes, calculator, cache }) {
    this.recipes = recipes;
    this.calculator = calculator;
    this.cache = cache;
  }

  async label(recipe) {
    const key = `nutrition:${recipe.slug}`;
    const facts = this.cache.read(key) ?? this.cache.write(key, await this.calculator.perServing(recipe));
    return { perServing: facts, dailyShare: this.dailyShare(facts), rating: this.rating(facts) };
  }

  dailyShare({ kcal }) {
    return `${Math.round((kcal / DAILY_KCAL) * 100)} %`;
  }

  rating({ kcal, salt }) {
    if (salt > 1.5) return 'salty';
    return kcal > 450 ? 'rich' : 'light';
  }

  async ingredientChanged(code) {
    const affected = await this.recipes.using(code);
    for (const { id } of affected) this.cache.drop(`nutrition:${id}`);
    return affected.map(({ slug }) => slug);
  }
}
