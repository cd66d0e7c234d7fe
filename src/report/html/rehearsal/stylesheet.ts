/** Of a rehearsal: the stages of a drain have the same colours in the timeline, on bars and beside lists. */
export const rehearsalStyle = `
.stage-1 { background: var(--stage-1); fill: var(--stage-1); } .stage-2 { background: var(--stage-2); fill: var(--stage-2); }
.stage-3 { background: var(--stage-3); fill: var(--stage-3); } .stage-4 { background: var(--stage-4); fill: var(--stage-4); }
.stage-5 { background: var(--stage-5); fill: var(--stage-5); }
.drain { margin: 0 0 1rem; }
.drain figcaption { font-weight: 600; margin-bottom: .2rem; }
.drain svg { display: block; overflow: visible; }
.drain text { fill: currentColor; font-size: 13px; }
.drain .soft { color: var(--soft); }
.drain .on-stage { color: var(--on-state); font-size: 11px; font-weight: 650; }
.drain .grid { stroke: var(--line); stroke-dasharray: 2 3; }
.drain .track { fill: var(--card); stroke: var(--line); }
.drain .open { fill: var(--bad-soft); stroke: var(--bad); stroke-dasharray: 4 3; }
.drain .limit { stroke: var(--bad); stroke-width: 3; }
.key.open { background: var(--bad-soft); border: 1px dashed var(--bad); }
.key.limit { width: 3px; margin-left: .4rem; border-radius: 0; background: var(--bad); }
.node > summary, p.node { font-weight: 600; }
p.node { margin: .5rem 0; border: 1px solid var(--line); border-radius: .5rem; padding: .6rem .8rem; }
.node .bar { height: 1.2rem; margin-top: .35rem; }
.node .part { line-height: 1.2rem; }
.course { color: var(--soft); font-weight: 400; }
.stage { margin: .8rem 0 .2rem; font-weight: 600; background: none; break-after: avoid; }
.pods { margin: 0 0 .4rem; padding-left: 1.35rem; font-size: .95rem; }
.pods li { margin: .15rem 0; }
.changes .changes { margin-top: .4rem; }
`;
