import { loadGateway } from './directory.mjs';
import { queryGateway } from './gateways.mjs';

const gatewayOf = new Map();

async function locate(stationId) {
  if (!gatewayOf.has(stationId)) {
    const gateway = await loadGateway(stationId);
    if (gateway) gatewayOf.set(stationId, gateway);
  }
  return gatewayOf.get(stationId) ?? null;
}

export async function currentReading(stationId) {
  let gateway = await locate(stationId);
  if (!gateway) return null;
  let answer = await queryGateway(gateway, stationId);
  if (!answer) {
    gatewayOf.delete(stationId);
    gateway = await locate(stationId);
    answer = await queryGateway(gateway, stationId);
  }
  return answer;
}
