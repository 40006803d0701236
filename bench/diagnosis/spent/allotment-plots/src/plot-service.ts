import type { MemoryCache } from './memory-cache.ts';
import type { Change, Plot, PlotRepository } from './plot-repository.ts';

export class PlotService {
  readonly #plots: PlotRepository;
  readonly #cache: MemoryCache<Plot>;

  constructor(plots: PlotRepository, cache: MemoryCache<Plot>) {
    this.#plots = plots;
    this.#cache = cache;
  }

  async plot(id: string): Promise<Plot> {
    return this.#cache.recall(id) ?? this.#cache.remember(id, await this.#plots.find(Number(id)));
  }

  async change(id: string, change: Change): Promise<Plot> {
    const { id: changed } = await this.#plots.update(Number(id), this.allowed(change));
    this.#cache.forget(changed);
    return this.plot(id);
  }

  allowed({ holder, water, since }: Change): Change {
    return {
      ...(holder === undefined ? {} : { holder, since: since ?? null }),
      ...(water === undefined ? {} : { water }),
    };
  }
}
