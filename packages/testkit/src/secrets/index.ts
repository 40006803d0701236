export { composePlanted, listPlanted, type PlantedValue } from './composed/planted.ts';
export { type ComposedValue, composeValue } from './composed/values.ts';
export { SecretSearch } from './find-shown.ts';
export { generateOrdinaryValues } from './generate-ordinary.ts';
export { generateSecrets, generateUntellable } from './generate-secrets.ts';
export { buildHostileText, hostileTexts } from './hostile/texts.ts';
export {
  type IngestEnvelope,
  type OrdinaryItem,
  type Placed,
  type PlacedItem,
  placeInTrace,
  placeInTraces,
  readableText,
  type SecretItem,
  showsOrdinary,
  showsSecret,
} from './item.ts';
export { type PlacedInSpans, placeInSpans } from './span-places.ts';
