import { happensAsSaid } from '../replay/happens.ts';

/** Nodes that enter maintenance. replay.soak.ts has more. */
happensAsSaid([13], ['evicted', 'removed', 'order', 'blocked', 'reached']);
