import type { FerryRepository } from './ferry-repository.ts';
import type { Booking, BookingRequest, Ferry, Vehicle } from './types.ts';

export class NoDeckError extends Error {
  override name = 'NoDeckError';
}

export class BookingService {
  private readonly repository: FerryRepository;
  private next = 48_210;

  constructor(repository: FerryRepository) {
    this.repository = repository;
  }

  async book(request: BookingRequest): Promise<Booking> {
    const ferry = await this.firstSuitable(request.crossing, request.vehicle);
    if (!ferry) throw Object.assign(new Error('no departure for this vehicle'), { status: 409 });
    const deck = await this.assignDeck(ferry, request.vehicle);
    return { reference: `CM${this.next++}`, ferry: ferry.name, departs: ferry.departs, deck };
  }

  private async fits(ferry: Ferry, vehicle: Vehicle): Promise<boolean> {
    const deck = await this.repository.deckFor(ferry.id, vehicle);
    return deck !== undefined && vehicle.lengthM <= ferry.laneMetres;
  }

  private async firstSuitable(crossing: string, vehicle: Vehicle): Promise<Ferry | undefined> {
    const departures = await this.repository.departures(crossing);
    return departures.find((ferry) => this.fits(ferry, vehicle));
  }

  private async assignDeck(ferry: Ferry, vehicle: Vehicle): Promise<string> {
    const deck = await this.repository.deckFor(ferry.id, vehicle);
    if (!deck) throw new NoDeckError(`${ferry.name} has no deck for a height of ${vehicle.heightM} m`);
    return deck;
  }
}
