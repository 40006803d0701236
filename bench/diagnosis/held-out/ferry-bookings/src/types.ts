export interface Vehicle {
  kind: 'bicycle' | 'car' | 'camper' | 'lorry';
  heightM: number;
  lengthM: number;
}

export interface Ferry {
  id: string;
  name: string;
  crossing: string;
  departs: string;
  laneMetres: number;
}

export interface BookingRequest {
  crossing: string;
  vehicle: Vehicle;
  passengers: number;
}

export interface Booking {
  reference: string;
  ferry: string;
  departs: string;
  deck: string;
}
