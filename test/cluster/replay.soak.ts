import { happensAsSaid } from '../replay/happens.ts';

const kinds = ['evicted', 'removed', 'order', 'blocked', 'reached', 'deleted', 'kept', 'slept', 'ends'];

/** Nodes that enter maintenance, an installation that goes, and claims. `npm run replay` has the other ones. */
happensAsSaid([13, 10, 15], kinds);
