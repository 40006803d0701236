import type { Clinic, ClinicStore, Visit } from './clinic-store.ts';
import { mean, quantile } from './statistics.ts';

const ROUND_TO = 5;

export class WaitEstimator {
  private readonly store: ClinicStore;

  constructor(store: ClinicStore) {
    this.store = store;
  }

  async estimate(clinic: Clinic, position: number) {
    const visits = await this.store.recentVisits(clinic);
    const durations = this.durationsOf(visits);
    const typical = quantile(durations, 0.5);
    const rounds = this.roundsBefore(position, clinic.doctors);
    const wait = this.roundUp(rounds * typical * this.attendance(visits));
    return {
      clinic: clinic.name,
      position,
      average: Number(mean(durations).toFixed(1)),
      wait,
      message: this.message(wait),
    };
  }

  private durationsOf(visits: Visit[]): number[] {
    return visits.filter(({ noShow }) => !noShow).map(({ minutes }) => minutes);
  }

  private attendance(visits: Visit[]): number {
    return visits.filter(({ noShow }) => !noShow).length / visits.length;
  }

  private roundsBefore(position: number, doctors: number): number {
    return Math.floor((position - 1) / doctors);
  }

  private roundUp(minutes: number): number {
    return Math.ceil(minutes / ROUND_TO) * ROUND_TO;
  }

  private message(wait: number): string {
    if (wait === 0) return 'You are next.';
    return wait > 90 ? 'You may go for a walk, we text you.' : `It takes about ${wait} minutes.`;
  }
}
