import { rehearsalStyle } from './rehearsal/stylesheet.ts';

/** Contrast is at least 4.5 to 1 in both schemes; nothing is told by colour alone. */
export const stylesheet = `
:root {
  --page: #ffffff; --card: #f5f6f8; --line: #d3d7de; --text: #1c2330; --soft: #505a6b; --link: #0b57b0;
  --bad: #a11212; --bad-soft: #fdecec; --wait: #7a4a00; --wait-soft: #fff3da; --good: #17632f; --good-soft: #e4f5e9;
  --running: #1f6f43; --sleeping: #4a4fb0; --deleted: #a11212; --on-state: #ffffff;
  --stage-1: #1f63ab; --stage-2: #6d3fa0; --stage-3: #9a4a00; --stage-4: #5a6372; --stage-5: #17632f;
  --shade-1: #e3ecfa; --shade-2: #c3d7f5; --shade-3: #97bbee; --shade-4: #5f97e2; --on-shade: #0f1a2b;
}
@media screen and (prefers-color-scheme: dark) {
  :root {
    --page: #14181f; --card: #1e242e; --line: #3b4452; --text: #e7eaf0; --soft: #aab3c2; --link: #8dbcff;
    --bad: #ff9c9c; --bad-soft: #401b1e; --wait: #ffcf7d; --wait-soft: #3d2d10; --good: #8fdba6; --good-soft: #15361f;
    --running: #7fd3a0; --sleeping: #b0b4ff; --deleted: #ff9c9c; --on-state: #10141b;
    --stage-1: #8dbcff; --stage-2: #cfa8f5; --stage-3: #ffb877; --stage-4: #aab3c2; --stage-5: #8fdba6;
    --shade-1: #22324a; --shade-2: #2b466d; --shade-3: #365c93; --shade-4: #4474bb; --on-shade: #ffffff;
  }
}
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; scroll-behavior: smooth; }
@media (prefers-reduced-motion: reduce) { html { scroll-behavior: auto; } }
body {
  margin: 0 auto; max-width: 66rem; padding: 1rem; background: var(--page); color: var(--text);
  font: 1rem/1.5 system-ui, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif; overflow-wrap: anywhere;
}
code { font-family: ui-monospace, "SF Mono", Menlo, Consolas, "Liberation Mono", monospace; font-size: .9em; }
a { color: var(--link); }
:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; border-radius: 2px; }
.skip { position: absolute; left: -100rem; }
.skip:focus { position: static; }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
header { border-bottom: 1px solid var(--line); margin-bottom: 1rem; }
.brand { margin: 0; color: var(--soft); font-weight: 600; letter-spacing: .02em; }
h1 { margin: .1rem 0 .3rem; font-size: 1.75rem; line-height: 1.2; }
h2 { margin: 2.2rem 0 .7rem; font-size: 1.25rem; line-height: 1.3; }
h3 { margin: 1.6rem 0 .3rem; font-size: 1.1rem; }
h4 { margin: 1.4rem 0 .3rem; font-size: 1rem; }
h4 + p { margin-top: 0; }
h5 { margin: 1.2rem 0 .4rem; font-size: .95rem; }
.refs { margin: 0 0 1rem; color: var(--soft); }
nav ul { display: flex; flex-wrap: wrap; gap: .3rem 1.2rem; margin: 0; padding: 0; list-style: none; }
nav a { display: inline-block; padding: .25rem 0; }
main:focus { outline: none; }
footer { margin-top: 3rem; border-top: 1px solid var(--line); color: var(--soft); font-size: .9rem; }
li, td, th, summary, dd { unicode-bidi: isolate; }
.tiles { display: grid; grid-template-columns: repeat(auto-fit, minmax(8.5rem, 1fr)); gap: .7rem; margin: 0 0 1.2rem; }
.tile { display: flex; flex-direction: column-reverse; justify-content: flex-end; padding: .7rem .9rem; border: 1px solid var(--line); border-radius: .5rem; background: var(--card); }
.tile dt { color: var(--soft); font-size: .9rem; }
.tile dd { margin: 0; font-size: 1.8rem; font-weight: 650; line-height: 1.1; }
.tile.danger dd { color: var(--bad); }
.tile.wait dd { color: var(--wait); }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-size: .95rem; }
caption { text-align: left; color: var(--soft); padding-bottom: .3rem; }
th, td { padding: .35rem .6rem; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top; overflow-wrap: normal; }
td time { white-space: nowrap; }
thead th { color: var(--soft); font-weight: 600; }
tbody th { font-weight: 500; }
.matrix td, .matrix thead th:not(:first-child) { text-align: right; font-variant-numeric: tabular-nums; }
.matrix .none { color: var(--soft); }
.matrix .sum { font-weight: 650; }
.matrix .sign { color: var(--bad); }
.shade-1 { background: var(--shade-1); } .shade-2 { background: var(--shade-2); }
.shade-3 { background: var(--shade-3); } .shade-4 { background: var(--shade-4); }
.shade-1, .shade-2, .shade-3, .shade-4 { color: var(--on-shade); }
.plain { padding-left: 1.1rem; }
.changes { margin: 0; padding: 0; list-style: none; }
.changes > li { margin: .5rem 0; padding: .5rem .8rem; border-left: 4px solid var(--line); background: var(--card); border-radius: 0 .4rem .4rem 0; break-inside: avoid; }
.changes > li.dangerous { border-left-color: var(--bad); }
.changes p { margin: .1rem 0; }
.why { color: var(--bad); }
.foot { font-size: .9rem; color: var(--soft); }
.badge { display: inline-block; padding: 0 .45rem; border: 1px solid currentColor; border-radius: 1rem; font-size: .8rem; font-weight: 600; }
.badge.bad, .badge.removed { color: var(--bad); background: var(--bad-soft); }
.badge.wait, .badge.changed { color: var(--wait); background: var(--wait-soft); }
.badge.good, .badge.added { color: var(--good); background: var(--good-soft); }
details { margin: .5rem 0; border: 1px solid var(--line); border-radius: .5rem; padding: 0 .8rem; }
details[open] { padding-bottom: .6rem; }
summary { cursor: pointer; padding: .6rem 0; font-weight: 600; }
.count { color: var(--soft); font-weight: 500; font-variant-numeric: tabular-nums; }
.legend { display: flex; flex-wrap: wrap; gap: .2rem 1.2rem; margin: 0 0 .6rem; padding: 0; list-style: none; font-size: .9rem; color: var(--soft); }
.key { display: inline-block; width: .9rem; height: .9rem; margin-right: .4rem; border-radius: .2rem; vertical-align: -.1rem; }
.bars { margin: 0 0 .9rem; }
.bars figcaption { font-weight: 600; }
.row { display: flex; align-items: center; gap: .6rem; margin: .15rem 0; }
.when { flex: none; width: 4.5rem; color: var(--soft); font-size: .9rem; font-variant-numeric: tabular-nums; }
.track { flex: 1; min-width: 0; }
.bar { display: flex; height: 1.5rem; min-width: 0; border-radius: .3rem; overflow: hidden; }
.part { flex-basis: 0; min-width: 1.6rem; padding: 0 .3rem; color: var(--on-state); font-size: .85rem; font-weight: 600; line-height: 1.5rem; text-align: center; overflow: hidden; }
.part + .part { border-left: 2px solid var(--page); }
.Running { background: var(--running); }
.Sleeping { background: repeating-linear-gradient(135deg, var(--sleeping) 0 .5rem, color-mix(in srgb, var(--sleeping) 86%, var(--page)) .5rem 1rem); }
.Deleted { background: var(--deleted); }
.object { margin: .8rem 0 .2rem; font-weight: 600; }
.fields td, .fields th { min-width: 9rem; overflow-wrap: anywhere; }
.fields del { color: var(--bad); text-decoration-thickness: 1px; }
.fields ins { color: var(--good); text-decoration: none; }
.absent { color: var(--soft); font-style: italic; }
${rehearsalStyle}@media (max-width: 40rem) {
  body { padding: .8rem; }
  h1 { font-size: 1.4rem; }
  .when { width: 3.8rem; }
  .fields, .fields tbody, .fields tr, .fields th, .fields td { display: block; border: 0; padding: .1rem 0; }
  .fields thead { position: absolute; clip-path: inset(50%); }
  .fields tr { padding: .4rem 0; border-bottom: 1px solid var(--line); }
  .events thead { position: absolute; clip-path: inset(50%); }
  .events tr { display: grid; grid-template-columns: auto 1fr auto; gap: 0 .8rem; padding: .4rem 0; border-bottom: 1px solid var(--line); }
  .events th, .events td { border: 0; padding: 0; overflow-wrap: anywhere; }
  .events td:last-child { grid-column: 1 / -1; }
}
@media print {
  :root { color-scheme: light; }
  body { max-width: none; padding: 0; font-size: 10pt; }
  nav, .skip { display: none; }
  details { border: 0; padding: 0; }
  details::details-content { content-visibility: visible; block-size: auto; }
  .bar, .part, .key, td, .badge, .drain svg { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
  section { break-before: auto; }
  h2, h3, h4, h5, summary, .object, .stage { break-after: avoid; }
  tr { break-inside: avoid; }
  .scroll { overflow: visible; }
}
`;
