// Per 100 g: kcal, protein, salt.
const TABLE = {
  oats: [372, 13.5, 0.02],
  'oat-milk': [46, 1, 0.1],
  butter: [741, 0.7, 0.02],
  hazelnut: [644, 15, 0.01],
  'red-lentil': [352, 24, 0.02],
  'coconut-milk': [197, 2, 0.03],
  tomato: [18, 0.9, 0.01],
  feta: [264, 14, 2.8],
  cucumber: [12, 0.6, 0.01],
  'olive-oil': [828, 0, 0],
};

export class IngredientRepository {
  #rows = new Map(Object.entries(TABLE).map(([code, [kcal, protein, salt]]) => [code, { code, kcal, protein, salt, revision: 1 }]));

  async get(code) {
    const row = this.#rows.get(code);
    if (!row) throw Object.assign(new Error(`unknown ingredient ${code}`), { status: 404 });
    return row;
  }

  async update(code, changes) {
    const row = await this.get(code);
    const next = { ...row, ...changes, revision: row.revision + 1, changedAt: new Date().toISOString() };
    this.#rows.set(code, next);
    return next;
  }
}
