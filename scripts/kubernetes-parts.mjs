// Of @kubernetes/client-node we use what reads kubeconfigs, and send requests ourselves. Its module for that names every
// API class and an HTTP library, which bundlers keep unless told that importing them does nothing: half of the bundle,
// and a tenth of a second and of the sidecar's memory.

const library = /[\\/]node_modules[\\/]@kubernetes[\\/]client-node[\\/]/;
const ours = Symbol('resolved by this plugin');

const noFetch = `
export class Headers extends Map { append(name, value) { this.set(name, value); } }
export default function fetch() { throw new Error('requests of the library itself are left out of this bundle'); }
`;

/** @type {import('esbuild').Plugin} */
export const kubernetesParts = {
  name: 'kubernetes-parts',
  setup(build) {
    build.onResolve({ filter: /^[@\w./-]/ }, async ({ path, importer, resolveDir, kind, pluginData }) => {
      const isOfLibrary = library.test(importer) || path.startsWith('@kubernetes/client-node');
      if (!isOfLibrary || pluginData === ours) return undefined;
      if (path === 'node-fetch') return { path, namespace: 'no-fetch' };
      const found = await build.resolve(path, { importer, resolveDir, kind, pluginData: ours });
      return library.test(found.path) ? { ...found, sideEffects: false } : found;
    });
    build.onLoad({ filter: /^node-fetch$/, namespace: 'no-fetch' }, () => ({ contents: noFetch }));
  },
};
