import Module from 'node:module';
import { sep } from 'node:path';
import { reportDetail, reportFault } from '../report.ts';
import { packageNameOf } from '../root.ts';
import { isConnect, watchConnect } from './connect.ts';
import { isLayerClass } from './layer-shape.ts';
import { watchLayers } from './layers.ts';

/** Express 5 and later take their router from this package; Express 4 has its own. */
const routerPackages = new Set(['express', 'router']);

let watching = false;

/**
 * Watches Express (4, 5) and Connect, whether loaded before or after, required or imported, in any number of copies and under any alias: a file
 * is looked at by its place, its exports' shape, and the name in its package's own package.json.
 */
export function watchExpress(): void {
  if (watching) return;
  watching = true;
  const cache: unknown = Reflect.get(Module, '_cache');
  if (typeof cache === 'object' && cache !== null) {
    for (const loaded of Object.values(cache)) if (loaded instanceof Module) look(loaded);
  }
  const load: unknown = Reflect.get(Module.prototype, 'load');
  if (typeof load !== 'function') return;
  Reflect.set(Module.prototype, 'load', function (this: Module, ...args: unknown[]): unknown {
    const result: unknown = Reflect.apply(load, this, args);
    look(this);
    return result;
  });
}

const layerFile = `${sep}layer.js`;
const indexFile = `${sep}index.js`;

function look(module: Module): void {
  const file = module.filename;
  if (typeof file !== 'string' || !(file.endsWith(layerFile) || file.endsWith(indexFile))) return;
  try {
    const exported: unknown = module.exports;
    if (file.endsWith(layerFile)) {
      if (!isLayerClass(exported) || !routerPackages.has(packageNameOf(file) ?? '')) return;
      watchLayers(exported.prototype);
    } else {
      if (!isConnect(exported) || packageNameOf(file) !== 'connect') return;
      module.exports = watchConnect(exported);
    }
    reportDetail(`watching ${file}`);
  } catch (error) {
    reportFault('Recognising a framework', error);
  }
}
