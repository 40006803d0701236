import { type FrameworkFile, hasMethods, isFunction } from '../framework.ts';
import { isLayerClass } from './layer-shape.ts';
import { patchLayers } from './layers.ts';
import { type ParamRouter, patchParams } from './params.ts';
import { type HandlingRouter, patchHandle } from './uncaught.ts';

type Router = ParamRouter & HandlingRouter;

/** Express 5 and later use the router from the package `router`; Express 4 has its own. */
export const expressFiles: readonly FrameworkFile[] = [
  {
    packages: ['express', 'router'],
    file: 'layer.js',
    couldBe: isFunction,
    patch(exported) {
      if (isLayerClass(exported)) patchLayers(exported.prototype);
    },
  },
  {
    packages: ['express', 'router'],
    file: 'index.js',
    couldBe: (exported) => findRouter(exported) !== undefined,
    patch(exported) {
      const router = findRouter(exported);
      if (router === undefined) return;
      patchParams(router);
      patchHandle(router);
    },
  },
];

/** Express 4 exports the prototype of its routers. The package `router` exports a class. */
function findRouter(exported: unknown): Router | undefined {
  if (!isFunction(exported)) return undefined;
  const methods = ['param', 'route', 'use', 'handle'] as const;
  const prototype: unknown = exported.prototype;
  if (hasMethods(prototype, methods)) return prototype as unknown as Router;
  return hasMethods(exported, methods) ? (exported as unknown as Router) : undefined;
}
