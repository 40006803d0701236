export interface ViewParams {
  limit?: string;
  bands?: string;
  seeing?: string;
}

const standardView = {
  limit: 5,
  filter: { bands: ['g', 'r', 'i'], maxSeeing: 2.5 },
};

type View = typeof standardView;

function positive(text: string): number {
  const value = Number(text);
  if (!(value > 0)) throw Object.assign(new Error(`${text} is not positive`), { statusCode: 400 });
  return value;
}

export function viewFor({ limit, bands, seeing }: ViewParams): View {
  const view = { ...standardView };
  if (limit) view.limit = positive(limit);
  if (bands) view.filter = { ...view.filter, bands: bands.split(',') };
  if (seeing) view.filter.maxSeeing = positive(seeing);
  return view;
}
