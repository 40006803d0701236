import { type FrameworkFile, isFunction } from '../framework.ts';
import { isLayerClass } from './layer-shape.ts';
import { watchLayers } from './layers.ts';

/** Express 5 and later use the router from the package `router`; Express 4 has its own. */
export const expressFiles: readonly FrameworkFile[] = [
  {
    packages: ['express', 'router'],
    file: 'layer.js',
    couldBe: isFunction,
    watch(exported) {
      if (isLayerClass(exported)) watchLayers(exported.prototype);
    },
  },
];
